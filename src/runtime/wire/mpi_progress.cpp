#include "runtime/wire/mpi_progress.hpp"

#include <atomic>

#include "runtime/platform/own_self.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {
namespace {

enum class Lookout : int { unmade, busy, open, closed };
std::atomic<Lookout> lookout{Lookout::unmade};
/// Accessed only by the thread that holds `busy`.
MPI_Request never = MPI_REQUEST_NULL;

/// On our own communicator, which also serves for queries: nothing is ever sent there.
bool open_lookout() {
  const MPI_Comm self = own_self();
  return self != MPI_COMM_NULL && pmpi.Irecv(nullptr, 0, MPI_BYTE, 0, 0, self, &never) == MPI_SUCCESS;
}

/// A probe that matches a user's message makes no progress: then the tag changes.  No user has messages pending under
/// all tags.
void look_beside_users_messages(MPI_Comm users) {
  constexpr int largest_everywhere = 32767, tries = 64;
  static std::atomic<int> tag{largest_everywhere};
  int found = 1;
  for (int i = 0; i < tries && found; ++i) {
    const int mine = tag.load(std::memory_order_relaxed);
    if (pmpi.Iprobe(MPI_ANY_SOURCE, mine, users, &found, MPI_STATUS_IGNORE) != MPI_SUCCESS) return;
    if (found) tag.store(mine > 0 ? mine - 1 : largest_everywhere, std::memory_order_relaxed);
  }
}

}  // namespace

void look_for_messages(MPI_Comm users) {
  Lookout was = Lookout::open;
  if (!lookout.compare_exchange_strong(was, Lookout::busy, std::memory_order_acquire)) [[unlikely]] {
    if (was == Lookout::busy) return;  // another thread is making progress
    if (was == Lookout::closed) return look_beside_users_messages(users);
    if (!lookout.compare_exchange_strong(was, Lookout::busy, std::memory_order_acquire)) return;
    if (!open_lookout()) return lookout.store(Lookout::closed, std::memory_order_release);
  }
  int done = 0;
  pmpi.Test(&never, &done, MPI_STATUS_IGNORE);
  lookout.store(Lookout::open, std::memory_order_release);
}

void close_lookout() noexcept {
  if (lookout.exchange(Lookout::closed) != Lookout::open) return;
  pmpi.Cancel(&never);
  pmpi.Wait(&never, MPI_STATUS_IGNORE);
}

}  // namespace tutti::runtime

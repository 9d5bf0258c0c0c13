#include "runtime/requests/messages/progress_hook.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <atomic>

#include "runtime/platform/pmpi.hpp"
#include "runtime/requests/motion.hpp"

namespace tutti::runtime::progress_hook {
namespace {

#ifdef MPIX_STREAM_NULL
constexpr bool has_streams = true;
constexpr int no_stream = MPIX_STREAM_NULL;
#else
constexpr bool has_streams = false;
constexpr int no_stream = 0;
#endif
/// What MPICH's callbacks return: MPIX_ASYNC_NOPROGRESS and MPIX_ASYNC_DONE.
enum { nothing_new, over };

enum class Phase : int { absent, installed, removed };
std::atomic<Phase> phase{Phase::absent};

struct Library {
  using Callback = int (*)();
  int (*open_register)(Callback) = nullptr;
  int (*open_unregister)(Callback) = nullptr;
  int (*mpich_start)(int (*poll)(void*), void* state, int stream) = nullptr;
  bool threads = false;

  Library() {
    const auto find = [](const char* name, auto& function) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(mpi_handle(), name));
    };
    find("opal_progress_register", open_register), find("opal_progress_unregister", open_unregister);
    if (has_streams) find("PMPIX_Async_start", mpich_start);
    int level = MPI_THREAD_SINGLE;
    threads = pmpi.Query_thread(&level) == MPI_SUCCESS && level == MPI_THREAD_MULTIPLE;
  }
  /// MPICH holds a lock where it calls back, if there are threads, and takes it again where the callback tests a
  /// request.
  bool calls_back() const { return (open_register && open_unregister) || (mpich_start && !threads); }
};

const Library& library() {
  static const Library library;
  return library;
}

/// In Open MPI: as many events as were handled.
int progress() {
  motion::move_if_any();
  return 0;
}

int poll(void*) {
  if (phase.load(std::memory_order_relaxed) == Phase::removed) return over;
  motion::move_if_any();
  return nothing_new;
}

}  // namespace

bool possible() { return library().calls_back() || library().threads; }

bool by_ticker() { return !library().calls_back() && library().threads; }

void install() {
  Phase was = Phase::absent;
  if (!library().calls_back() || !phase.compare_exchange_strong(was, Phase::installed)) return;
  if (library().open_register)
    library().open_register(progress);
  else
    library().mpich_start(poll, nullptr, no_stream);
}

void remove() noexcept {
  if (phase.exchange(Phase::removed) != Phase::installed) return;
  if (library().open_register) library().open_unregister(progress);
}

}  // namespace tutti::runtime::progress_hook

#include "runtime/requests/motion_lock.hpp"

#include <linux/membarrier.h>
#include <mpi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "runtime/platform/pmpi.hpp"
#include "shm/sync/waiting.hpp"

namespace tutti::runtime::motion {
namespace {

std::atomic<bool> inside{false};  ///< a thread of the program's is
std::atomic<bool> wanted{false};  ///< the ticker is, or is about to be

/// One thread at a time calls the MPI, and the kernel has the barrier.  ThreadSanitizer does not know it.
bool find_serial() {
#if defined(__SANITIZE_THREAD__)
  return false;
#else
  int level = MPI_THREAD_MULTIPLE;
  return pmpi.Query_thread(&level) == MPI_SUCCESS && level != MPI_THREAD_MULTIPLE &&
         ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#endif
}

bool serial() {
  static const bool known = find_serial();
  return known;
}

/// Of an ordinary lock.
bool take() { return !inside.exchange(true, std::memory_order_acquire); }

}  // namespace

bool Lock::try_enter() {
  if (!serial()) return take();
  inside.store(true, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // the ticker's barrier orders the rest
  if (!wanted.load(std::memory_order_acquire)) [[likely]]
    return true;
  inside.store(false, std::memory_order_release);
  return false;
}

void Lock::leave() { inside.store(false, std::memory_order_release); }

Lock::Lock() {
  while (!try_enter()) shm::yield();
}
Lock::~Lock() { leave(); }

bool ticker_enters() {
  if (!serial()) return take();
  wanted.store(true, std::memory_order_seq_cst);
  ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  if (!inside.load(std::memory_order_acquire)) return true;
  wanted.store(false, std::memory_order_release);
  return false;
}

void ticker_leaves() { serial() ? wanted.store(false, std::memory_order_release) : Lock::leave(); }

}  // namespace tutti::runtime::motion

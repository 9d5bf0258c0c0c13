#pragma once
/// Nonblocking collectives of the program's that are left to the MPI, from their start to their end; persistent ones
/// until they are freed.
///
/// The MPI moves them only where it is called, and some need thousands of calls: of uneven counts, Intel MPI's
/// Iallgatherv takes about four for each element.  Its own blocking calls make them without a pause.  So a rank that
/// waits in shared memory does the same while there is one, instead of sleeping (shm/sync/waiting.hpp).
///
/// The end is seen where a function takes the request and leaves a null handle.
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/requests/motion.hpp"

namespace tutti::runtime {

namespace native_requests {

/// Part of motion::held, and changed like it.
inline std::atomic<int> number{0};
inline bool any() { return number.load(std::memory_order_relaxed) != 0; }

/// After the MPI has started it.  Takes motion's lock.  Without memory for it, it is not counted.
void add(MPI_Request request) noexcept;

}  // namespace native_requests

/// Around a call of a function that takes requests: what has ended in it is counted no more.
class NativeCompletions {
 public:
  NativeCompletions(int count, const MPI_Request* requests) noexcept {
    if (native_requests::any() && requests != nullptr && count > 0) look(count, requests);
  }
  ~NativeCompletions() {
    if (!found_.empty()) settle();
  }
  NativeCompletions(const NativeCompletions&) = delete;

  /// Whether the program holds no request of ours.
  static bool alone() {
    return motion::held.load(std::memory_order_relaxed) == native_requests::number.load(std::memory_order_relaxed);
  }

 private:
  void look(int count, const MPI_Request* requests) noexcept;
  void settle() noexcept;

  std::vector<std::pair<const MPI_Request*, std::uint64_t>> found_;  ///< where they stand, and their keys
};

}  // namespace tutti::runtime

#include "runtime/requests/native_requests.hpp"

#include <exception>
#include <unordered_map>

#include "runtime/requests/motion_lock.hpp"
#include "runtime/requests/request.hpp"

namespace tutti::runtime {
namespace {

/// How many there are by handle.  With several threads a handle may be in use again before the end of its last request
/// is seen here, and MPICH gives one handle to all that are complete at once.  With motion's lock.
std::unordered_map<std::uint64_t, int>& handles() {
  static auto& handles = *new std::unordered_map<std::uint64_t, int>;  // outlives every static object
  return handles;
}

/// With motion's lock.
void count(int more) {
  motion::hold(more);
  native_requests::number.store(native_requests::number.load(std::memory_order_relaxed) + more,
                                std::memory_order_relaxed);
}

}  // namespace

void native_requests::add(MPI_Request request) noexcept try {
  if (request == MPI_REQUEST_NULL) return;
  const motion::Lock lock;
  ++handles()[request_key(request)];
  count(1);
} catch (const std::exception&) {  // a wait sleeps although the MPI has something to move
}

void NativeCompletions::look(int count, const MPI_Request* requests) noexcept try {
  const motion::Lock lock;
  for (int i = 0; i < count; ++i)
    if (const std::uint64_t key = request_key(requests[i]); handles().contains(key))
      found_.emplace_back(requests + i, key);
} catch (const std::exception&) {  // these count for good: waits do not sleep
}

void NativeCompletions::settle() noexcept {
  const motion::Lock lock;
  for (const auto& [request, key] : found_) {
    if (*request != MPI_REQUEST_NULL) continue;
    const auto entry = handles().find(key);
    if (entry == handles().end()) continue;
    if (--entry->second == 0) handles().erase(entry);
    count(-1);
  }
}

}  // namespace tutti::runtime

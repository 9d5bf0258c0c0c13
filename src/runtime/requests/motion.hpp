#pragma once
/// What moves collectives that are under way: every call of the program that waits or tests, our own blocking calls,
/// and a thread of ours while the program is in neither (ticker.hpp).
#include <atomic>

#include "runtime/requests/channel.hpp"
#include "runtime/requests/motion_lock.hpp"

namespace tutti::runtime::motion {

/// Requests that the program holds: nonblocking calls that it has not completed, and persistent requests; those of the
/// MPI's own too (native_requests.hpp).  While there are none, functions that take requests are the MPI's own.  Changed
/// with the lock, by plain stores.
inline std::atomic<int> held{0};
inline void hold(int more) { held.store(held.load(std::memory_order_relaxed) + more, std::memory_order_relaxed); }
inline bool any_held() { return held.load(std::memory_order_relaxed) != 0; }

/// Channels with calls under way.
inline std::atomic<int> under_way{0};

/// With the lock: starts the request's call on its channel, and runs it to its first wait if it is the first there.
void start(Request& request);

/// Moves all calls under way, once.  For threads that may call the MPI; without the lock, and never from within a call
/// that is moved.
void move();
inline void move_if_any() {
  if (under_way.load(std::memory_order_relaxed) != 0) [[unlikely]]
    move();
}
/// Waits until the request is complete.  All other calls move too.
void await(const Request& request);

/// One round of a wait: `rounds` before it.  Yields the CPU where other ranks may need it, and after a while.
void rest(unsigned rounds);

/// By the ticker: as `move`, mostly without the MPI.  Whether a call is under way.
bool tick();

/// By a channel that ends.
void forget(Channel& channel);

/// Ends the ticker.  Before MPI_Finalize: from then on calls under way are moved by nobody.
void stop() noexcept;

}  // namespace tutti::runtime::motion

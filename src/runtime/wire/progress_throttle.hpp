#pragma once
/// Progress throttle: when the MPI library made progress last.
///
/// A program that posts nonblocking sends and then calls collectives relies on them for progress.  A served call that
/// waits makes progress meanwhile; calls that never wait long do it here, about once in 20 us, 1 % of the shortest
/// calls' time (reading the cycle counter takes 8 ns, so every fourth call reads it).  Ranks that share a CPU do it in
/// turns, each at intervals four times as long: a progress call with cold caches is expensive, and Open MPI yields the
/// CPU in it.
#include <chrono>
#include <cstdint>

#include "clock/cycles.hpp"

namespace tutti::runtime {

class ProgressThrottle {
 public:
  explicit ProgressThrottle(int ranks_on_a_cpu = 1)
      : interval_(interval() * static_cast<std::uint64_t>(ranks_on_a_cpu > 1 ? rarer * ranks_on_a_cpu : 1)) {}

  /// Whether a progress call is due; then the interval restarts.
  bool due() {
    if (++calls_ % 4 != 0) return false;
    const std::uint64_t now = ticks();
    if (now - last_ < interval_) return false;
    last_ = now;
    return true;
  }

 private:
  static constexpr int rarer = 4;  ///< where ranks share a CPU
#if defined(__x86_64__)
  static std::uint64_t ticks() { return cycle_count_unordered(); }
  /// Counters run at 2 to 4 GHz.
  static std::uint64_t interval() { return 60'000; }
#elif defined(__aarch64__)
  static std::uint64_t ticks() { return cycle_count_unordered(); }
  static std::uint64_t interval() {
    std::uint64_t each_second;
    asm("mrs %0, cntfrq_el0" : "=r"(each_second));
    return each_second / 50'000;
  }
#else
  static std::uint64_t ticks() {
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }
  static std::uint64_t interval() { return 20'000; }
#endif

  std::uint64_t interval_;  ///< ticks
  std::uint64_t last_ = 0;
  unsigned calls_ = 0;
};

}  // namespace tutti::runtime

#pragma once
/// When messages of the MPI library were moved last.
///
/// A program that sends without blocking and then calls collectives counts on them to move its messages on.  A served
/// call that waits progress calls the MPI meanwhile; those that never wait long do it here, once in 20 us or so: 1 % of
/// the shortest calls' time, of which reading the processor's counter is most (8 ns): every fourth call does.  Ranks
/// that share a CPU do it in turn, so to speak, and each turn comes after four times as long: they look for messages
/// with the caches full of others' data, and Open MPI gives the CPU away once more.  By the intervals of a rank with a
/// CPU of its own four of them spent 9 % of their barriers on it, and still 8 % in turn.
#include <chrono>
#include <cstdint>

#include "clock/cycles.hpp"

namespace tutti::runtime {

class ProgressThrottle {
 public:
  explicit ProgressThrottle(int ranks_on_a_cpu = 1)
      : interval_(interval() * static_cast<std::uint64_t>(ranks_on_a_cpu > 1 ? rarer * ranks_on_a_cpu : 1)) {}

  /// Whether the last time is long ago; then it begins anew.
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

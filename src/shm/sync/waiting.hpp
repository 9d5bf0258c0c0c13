#pragma once
/// Waiting for another member: spin briefly, then yield, then sleep for bounded times, with calls of Progress; without
/// sleeps, and with hardly a pause between these, while progress is urgent.  Where calls run in tasks, each wait
/// suspends the task at once instead, and nothing here blocks.
///
/// A cache line takes about 180 ns from core to core, a yield to another waiting rank a few microseconds, a sleep with
/// its wake-up tens: each stage begins when its cost is small beside the wait so far.
#include <sched.h>
#include <sys/syscall.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "shm/group.hpp"

namespace tutti::shm {

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");  // as long as a pause elsewhere; `yield` does nothing on most cores
#endif
}

/// sched_yield(2), inline where possible: a context switch empties the return-address predictor, and each return on the
/// way out of a wait then costs some 20 cycles (8 ranks on 2 cores: 9 % of a barrier).
inline void yield() {
#if defined(__x86_64__)
  long result = SYS_sched_yield;
  asm volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
#else
  ::sched_yield();
#endif
}

/// The futex on which members sleep that wait for one member's words; in shared memory, zero at first.
struct Bell {
  std::atomic<std::uint32_t> sleepers;
  std::atomic<std::uint32_t> strokes;
};

/// Wakes members that sleep until a word of this bell's owner changes.  Called after each change; without sleepers it
/// costs one load.  There is no fence between the change and that load, so the load may overtake the change by the time
/// that a store stays in the store buffer, far less than a microsecond.  The sleeper compensates: between registering
/// and its last test of the word it waits longer than that.  If that ever fails, the sleep's time limit ends it, at
/// most 2 ms later.
void wake_sleepers(Bell& bell);
inline void notify(Bell& bell) {
  if (bell.sleepers.load(std::memory_order_relaxed) != 0) [[unlikely]]
    wake_sleepers(bell);
}

class Waiter {
 public:
  /// `oversubscribed`: more members than CPUs, so that the member that we wait for may need our CPU.
  Waiter(bool oversubscribed, Progress progress, Suspend suspend = {})
      : progress_(progress),
        suspend_(suspend),
        oversubscribed_(oversubscribed),
        yields_at_once_(oversubscribed && !suspend),
        least_spins_(oversubscribed ? 0 : 20),
        most_spins_(oversubscribed ? 0 : 400),
        spins_(most_spins_) {}

  /// Whether waits suspend instead of blocking.
  bool suspends() const { return static_cast<bool>(suspend_); }

  /// Returns once `word` has reached `value`; its writer's earlier stores are then visible.
  void until(const std::atomic<std::uint64_t>& word, std::uint64_t value, Bell& bell) {
    const auto there = [&] { return word.load(std::memory_order_acquire) >= value; };
    if (there()) return;
    if (yields_at_once_) {
      yield();
      if (there()) return;
    }
    wait({word, word, value, bell});
  }

  /// The same until `word` or `other` has reached it.  Returns `word`.
  std::uint64_t until_either(const std::atomic<std::uint64_t>& word, const std::atomic<std::uint64_t>& other,
                             std::uint64_t value, Bell& bell) {
    if (const std::uint64_t now = word.load(std::memory_order_acquire); now >= value) return now;
    const Wanted wanted{word, other, value, bell};
    if (!wanted.there()) {
      if (yields_at_once_) yield();
      if (!wanted.there()) wait(wanted);
    }
    return word.load(std::memory_order_acquire);
  }

  /// Waits briefly for `word`: as long as a wait would spin, or for one yield.  Returns whether it has reached `value`.
  bool briefly(const std::atomic<std::uint64_t>& word, std::uint64_t value);

  /// Waits for `word` or `other` as long as a member that is not late may take which first has to move so many bytes:
  /// and for some context switches.  Returns whether one of them has reached `value`.
  bool within(const std::atomic<std::uint64_t>& word, const std::atomic<std::uint64_t>& other, std::uint64_t value,
              std::size_t bytes) const;

  /// Makes MPI progress; where members share CPUs, before the next wait yields.
  void progress_soon() {
    if (progress_.call == nullptr) return;
    if (oversubscribed_)
      yields_at_once_ = false;
    else
      urgent_ = progress_.call(progress_.context);
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Duration = Clock::duration;

  /// The condition of a wait.
  struct Wanted {
    const std::atomic<std::uint64_t>&word, &other;  ///< either one
    std::uint64_t value;
    Bell& bell;
    bool there() const {
      return word.load(std::memory_order_acquire) >= value || other.load(std::memory_order_acquire) >= value;
    }
  };
  void wait(const Wanted& wanted);
  bool spin(const Wanted& wanted);
  void yield_then_sleep(const Wanted& wanted);
  bool yields(const Wanted& wanted);
  bool sleep(const Wanted& wanted);
  /// Makes MPI progress, repeatedly while messages move and `word` has not reached `value`.
  void progress(const Wanted& wanted);

  Progress progress_;
  Suspend suspend_;
  const bool oversubscribed_;
  bool yields_at_once_;  ///< oversubscribed, and no progress call is due
  const int least_spins_, most_spins_;
  int spins_;  ///< of about 20 ns; halved where they were in vain: then the other member may need this CPU
  Duration progress_cost_{};  ///< of a progress call that finds nothing: recent minimum
  Clock::time_point next_progress_{};
  bool urgent_ = false;  ///< what the last progress call returned
};

}  // namespace tutti::shm

#pragma once
/// Waiting for another member: spin briefly, then yield, then sleep for bounded times; and call Progress meanwhile.
/// Where calls run in tasks, each wait suspends the task instead, at once, and nothing here blocks.
///
/// One cache line takes about 180 ns from core to core, a yield to a waiting neighbour a few microseconds, a sleep
/// and its wake-up tens: each stage begins where the next dearer one has become cheap beside the wait so far.
#include <sched.h>
#include <sys/syscall.h>

#include <atomic>
#include <chrono>
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

/// sched_yield(2).  In line where that can be had: the kernel forgets where calls return to when it switches, and each
/// return on the way out of a wait then costs some 20 cycles (8 ranks on 2 cores, four of them: 9 % of a barrier).
inline void yield() {
#if defined(__x86_64__)
  long result = SYS_sched_yield;
  asm volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
#else
  ::sched_yield();
#endif
}

/// What sleepers on one member's words hang on; lies in shared memory, zero at first.
struct Bell {
  std::atomic<std::uint32_t> sleepers;
  std::atomic<std::uint32_t> strokes;
};

/// Wakes whoever sleeps until a word of this bell's owner changes.  Called after each change; without sleepers it
/// costs one load.  There is no fence between the change and that load, so the load may overtake the change by as long
/// as a processor holds a store back, far less than a microsecond.  The sleeper makes up for it: between saying that it
/// sleeps and its last look at the word it waits longer than that.  Should that ever fail, the sleep's own time limit
/// ends it, at most 2 ms later.
void wake_sleepers(Bell& bell);
inline void notify(Bell& bell) {
  if (bell.sleepers.load(std::memory_order_relaxed) != 0) [[unlikely]]
    wake_sleepers(bell);
}

class Waiter {
 public:
  /// `oversubscribed`: more members than CPUs, so that whom we wait for may need our CPU.
  Waiter(bool oversubscribed, Progress progress, Suspend suspend = {})
      : progress_(progress),
        suspend_(suspend),
        oversubscribed_(oversubscribed),
        yields_at_once_(oversubscribed && !suspend),
        least_spins_(oversubscribed ? 0 : 20),
        most_spins_(oversubscribed ? 0 : 400),
        spins_(most_spins_) {}

  /// Whether waits give control back.
  bool suspends() const { return static_cast<bool>(suspend_); }

  /// Returns once `word` has reached `value`; what its writer stored before is then visible.
  void until(const std::atomic<std::uint64_t>& word, std::uint64_t value, Bell& bell) {
    const auto there = [&] { return word.load(std::memory_order_acquire) >= value; };
    if (there()) return;
    if (yields_at_once_) {
      yield();
      if (there()) return;
    }
    wait({word, word, value, bell});
  }

  /// The same until `word` or `other` has reached it.  `word`, as it was then.
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

  /// Waits for `word` while others may be about to change it: as long as a wait would spin, or for one yield.  Whether
  /// it has reached `value`.
  bool briefly(const std::atomic<std::uint64_t>& word, std::uint64_t value);

  /// Lets MPI move; where members wait for one another's CPU, before the next wait gives it away.
  void progress_soon() {
    if (progress_.call == nullptr) return;
    if (oversubscribed_)
      yields_at_once_ = false;
    else
      progress_.call(progress_.context);
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Duration = Clock::duration;

  /// What a wait is for.
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
  void sleep(const Wanted& wanted);
  /// Lets MPI move, again and again while there is something to move and `word` has not reached `value`.
  void progress(const Wanted& wanted);

  Progress progress_;
  Suspend suspend_;
  const bool oversubscribed_;
  bool yields_at_once_;  ///< oversubscribed, and no progress is wanted before
  const int least_spins_, most_spins_;
  int spins_;  ///< of about 20 ns; halved where they were in vain: then the other may be waiting for this very CPU
  Duration progress_cost_{};  ///< of a progress that finds nothing: the least lately seen
  Clock::time_point next_progress_{};
};

}  // namespace tutti::shm

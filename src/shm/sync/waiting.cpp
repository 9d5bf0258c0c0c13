#include "shm/sync/waiting.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <ctime>

namespace tutti::shm {
namespace {

using namespace std::chrono_literals;

constexpr auto progress_after = 10us;  ///< of waiting: the first progress
constexpr auto progress_pause = 5us;   ///< between progress calls at least ...
constexpr int progress_share = 32;     ///< ... and this many times a progress's cost: about 3 %
constexpr auto urgent_for = 1ms;       ///< between yields where progress is urgent: each may cost a slice
constexpr auto sleep_after = 1ms;      ///< of yielding: from here on another program may want the CPU
constexpr auto first_sleep = 100us, longest_sleep = 2000us;
constexpr auto worth_waiting = 20us,
               worth_waiting_shared = 60us;             ///< for a member, instead of depositing (deposits.hpp), and
constexpr std::size_t moved_in_a_microsecond = 10'000;  ///< ... bytes: slow, as it may share its CPU or combine
constexpr int looks_before_sleep = 100;                 ///< about 2 us, many times what a store takes to become visible

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(std::atomic<std::uint32_t>) == 4);

/// Sleeps while `word` still holds `seen`, `limit` at most.  Shared between processes.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t seen, std::chrono::nanoseconds limit) {
  timespec time{};
  time.tv_nsec = static_cast<long>(limit.count());  // always below a second
  ::syscall(SYS_futex, &word, FUTEX_WAIT, seen, &time, nullptr, 0);
}

}  // namespace

void wake_sleepers(Bell& bell) {
  bell.strokes.fetch_add(1, std::memory_order_seq_cst);
  ::syscall(SYS_futex, &bell.strokes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Waiter::wait(const Wanted& wanted) {
  if (suspends()) {
    do suspend_();
    while (!wanted.there());
  } else if (spin(wanted)) {
    spins_ = std::min(most_spins_, spins_ + 4);
  } else {
    spins_ = std::max(least_spins_, spins_ / 2);
    yield_then_sleep(wanted);
  }
}

bool Waiter::briefly(const std::atomic<std::uint64_t>& word, std::uint64_t value) {
  if (suspends()) return false;
  if (oversubscribed_) return yield(), word.load(std::memory_order_acquire) >= value;
  for (int i = 0; i < spins_; ++i) {
    pause();
    if (word.load(std::memory_order_acquire) >= value) return true;
  }
  spins_ = std::max(least_spins_, spins_ / 2);
  return false;
}

bool Waiter::within(const std::atomic<std::uint64_t>& word, const std::atomic<std::uint64_t>& other,
                    std::uint64_t value, std::size_t bytes) const {
  const auto there = [&] {
    return word.load(std::memory_order_acquire) >= value || other.load(std::memory_order_acquire) >= value;
  };
  if (there() || suspends()) return there();
  const auto moving = std::chrono::microseconds(bytes / moved_in_a_microsecond);
  const auto end = Clock::now() + (oversubscribed_ ? worth_waiting_shared : worth_waiting) + moving;
  while (Clock::now() < end) {
    oversubscribed_ ? yield() : pause();
    if (there()) return true;
  }
  return false;
}

bool Waiter::spin(const Wanted& wanted) {
  for (int i = 0; i < spins_; ++i) {
    pause();
    if (wanted.there()) return true;
  }
  return false;
}

void Waiter::yield_then_sleep(const Wanted& wanted) {
  if (oversubscribed_ && !yields_at_once_) [[unlikely]] {
    yields_at_once_ = true;
    urgent_ = progress_.call(progress_.context);
    if (wanted.there()) return;
  }
  // With more members than CPUs most waits end within one yield: the clock (25 ns a reading) is read only after it.
  yield();
  if (wanted.there()) return;
  while (!yields(wanted) && !sleep(wanted)) {
  }
}

/// Until it has lasted and no progress is urgent.  Whether the word has reached its value.
bool Waiter::yields(const Wanted& wanted) {
  const auto start = Clock::now();
  auto yielded = start;
  for (auto now = start; urgent_ || now - start < sleep_after; now = Clock::now()) {
    const bool due = now - start >= progress_after && (urgent_ || now >= next_progress_);
    if (progress_.call != nullptr && due) progress(wanted);
    if (!urgent_ || oversubscribed_ || now - yielded >= urgent_for) yield(), yielded = now;
    if (wanted.there()) return true;
  }
  return false;
}

/// Bounded sleeps on the bell of the word's owner, until progress is urgent.  Whether the word has reached its value.
bool Waiter::sleep(const Wanted& wanted) {
  wanted.bell.sleepers.fetch_add(1, std::memory_order_seq_cst);
  for (int i = 0; i < looks_before_sleep && !wanted.there(); ++i) pause();
  for (std::chrono::nanoseconds nap = first_sleep;; nap = std::min<std::chrono::nanoseconds>(2 * nap, longest_sleep)) {
    const std::uint32_t strokes = wanted.bell.strokes.load(std::memory_order_seq_cst);
    if (wanted.there()) break;
    futex_wait(wanted.bell.strokes, strokes, nap);
    if (wanted.there()) break;
    if (progress_.call != nullptr) progress(wanted);
    if (urgent_) break;
  }
  wanted.bell.sleepers.fetch_sub(1, std::memory_order_relaxed);
  return wanted.there();
}

void Waiter::progress(const Wanted& wanted) {
  auto before = Clock::now();
  for (;;) {
    urgent_ = progress_.call(progress_.context);
    const auto after = Clock::now();
    const Duration took = after - before;
    // The minimum, raised slowly: a progress call that moved a message does not measure one that finds nothing.
    const Duration idle = progress_cost_ == Duration::zero() ? took : progress_cost_;
    progress_cost_ = std::min(took, idle + idle / 16 + Duration(1));
    next_progress_ = after + std::max<Duration>(progress_pause, progress_share * progress_cost_);
    const bool moved = took > 4 * progress_cost_;
    if (!moved || wanted.there()) return;
    before = after;
  }
}

}  // namespace tutti::shm

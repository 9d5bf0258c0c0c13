#include "node/waiting.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <ctime>

namespace tutti::node {
namespace {

using namespace std::chrono_literals;

constexpr auto poke_after = 10us;  ///< of waiting: the first poke
constexpr auto poke_pause = 5us;   ///< between pokes at least ...
constexpr int poke_share = 32;     ///< ... and this many times a poke's cost: about 3 %
constexpr auto sleep_after = 1ms;  ///< of yielding: from here on another program may want the CPU
constexpr auto first_sleep = 100us, longest_sleep = 1000us;

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(std::atomic<std::uint32_t>) == 4);

/// Sleeps while `word` still holds `seen`, `limit` at most.  Shared between processes.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t seen, std::chrono::nanoseconds limit) {
  timespec time{};
  time.tv_nsec = static_cast<long>(limit.count());  // always below a second
  ::syscall(SYS_futex, &word, FUTEX_WAIT, seen, &time, nullptr, 0);
}

/// One bounded sleep on the bell of whoever will change `word`.
void sleep(const std::atomic<std::uint64_t>& word, std::uint64_t value, Bell& bell, std::chrono::nanoseconds limit) {
  bell.sleepers.fetch_add(1, std::memory_order_seq_cst);
  const std::uint32_t strokes = bell.strokes.load(std::memory_order_seq_cst);
  if (word.load(std::memory_order_seq_cst) < value) futex_wait(bell.strokes, strokes, limit);
  bell.sleepers.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace

void wake_sleepers(Bell& bell) {
  bell.strokes.fetch_add(1, std::memory_order_seq_cst);
  ::syscall(SYS_futex, &bell.strokes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Waiter::wait(const std::atomic<std::uint64_t>& word, std::uint64_t value, Bell& bell) {
  if (spin(word, value)) {
    spins_ = std::min(most_spins_, spins_ + 4);
  } else {
    spins_ = std::max(least_spins_, spins_ / 2);
    yield_then_sleep(word, value, bell);
  }
}

bool Waiter::spin(const std::atomic<std::uint64_t>& word, std::uint64_t value) {
  for (int i = 0; i < spins_; ++i) {
    pause();
    if (word.load(std::memory_order_acquire) >= value) return true;
  }
  return false;
}

void Waiter::yield_then_sleep(const std::atomic<std::uint64_t>& word, std::uint64_t value, Bell& bell) {
  // With more members than CPUs most waits end within one yield: the clock (25 ns a reading) is asked only after it.
  ::sched_yield();
  if (word.load(std::memory_order_acquire) >= value) return;
  const auto start = Clock::now();
  std::chrono::nanoseconds nap = first_sleep;
  for (auto now = start;; now = Clock::now()) {
    const auto waited = now - start;
    const bool asleep = waited >= sleep_after;
    if (poke_.call != nullptr && waited >= poke_after && (asleep || now >= next_poke_)) poke(word, value);
    if (asleep) {
      sleep(word, value, bell, nap);
      nap = std::min<std::chrono::nanoseconds>(2 * nap, longest_sleep);
    } else {
      ::sched_yield();
    }
    if (word.load(std::memory_order_acquire) >= value) return;
  }
}

void Waiter::poke(const std::atomic<std::uint64_t>& word, std::uint64_t value) {
  auto before = Clock::now();
  for (;;) {
    poke_.call(poke_.context);
    const auto after = Clock::now();
    const Duration took = after - before;
    // The least seen, forgotten slowly: a poke that moved a message is no measure of one that finds nothing.
    const Duration idle = poke_cost_ == Duration::zero() ? took : poke_cost_;
    poke_cost_ = std::min(took, idle + idle / 16 + Duration(1));
    next_poke_ = after + std::max<Duration>(poke_pause, poke_share * poke_cost_);
    const bool moved = took > 4 * poke_cost_;
    if (!moved || word.load(std::memory_order_acquire) >= value) return;
    before = after;
  }
}

}  // namespace tutti::node

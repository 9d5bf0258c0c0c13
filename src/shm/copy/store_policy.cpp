#include "shm/copy/store_policy.hpp"

#include <algorithm>
#include <cstdint>

#include "clock/cycles.hpp"
#include "shm/copy/non_temporal.hpp"
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tutti::shm {
namespace {

constexpr std::size_t line = 64;

/// A timed write that began then ends when its stores have completed.
Note note_of_timed(Preference& preference, Way way, std::uint64_t begin, std::size_t bytes) {
  drain();
  preference.took(way, static_cast<double>(cycle_count() - begin) * line / static_cast<double>(bytes));
  return note_of(way);
}

}  // namespace

bool can_demote() {
#if defined(__x86_64__)
  static const bool can = [] {
    constexpr unsigned leaf = 7, cldemote = 1U << 25;
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(leaf, 0, &a, &b, &c, &d) != 0 && (c & cldemote) != 0;
  }();
  return can;
#else
  return false;
#endif
}

void ReadCosts::took(Way way, double cycles_a_line) {
  std::atomic<float>& cost = cycles[static_cast<std::size_t>(way)];
  cost.store(static_cast<float>(smoothed(cost.load(std::memory_order_relaxed), cycles_a_line)),
             std::memory_order_relaxed);
}

void Preference::took(Way way, double cycles_a_line) {
  double& known = cycles_[static_cast<std::size_t>(way)];
  known = smoothed(known, cycles_a_line);
  decide();
}

/// Readers differ, so each has a small weight.
void Preference::heard(const ReadCosts& costs) {
  for (std::size_t way = 0; way < reading_.size(); ++way)
    if (const float cost = costs.cycles[way].load(std::memory_order_relaxed); cost != 0)
      reading_[way] = smoothed(reading_[way], cost);
}

/// By the cost of writer and reader together; as long as no reader has published its cost, by the writer's and an
/// estimate.
void Preference::decide() {
  constexpr double stay = 0.75, margin = 0.05;
  const auto [through, past] = cycles_;
  if (through == 0 || past == 0) return;
  const bool is_past = way_ == Way::non_temporal;
  double worth = (2 * past + farther) * (is_past ? stay : 1);
  if (reading_[0] != 0 && reading_[1] != 0)
    worth = (past + reading_[1]) * (is_past ? 1 - margin : 1 + margin) - reading_[0];
  way_ = through > worth ? Way::non_temporal : Way::cached;
}

Note BriefStorePolicy::copy_timed(Way way, std::byte* to, const std::byte* from, std::size_t bytes) {
  const std::uint64_t begin = cycle_count();
  copy_bytes(to, from, bytes);
  return note_of_timed(preference_, way, begin, bytes);
}

Note StorePolicy::copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (!learns_) {
    copy_bytes(to, from, bytes);
    return 0;
  }
  const auto [way, timed] = preference_.next();
  const std::uint64_t begin = timed ? cycle_count() : 0;
  went_non_temporal_ = way == Way::non_temporal;
  went_non_temporal_ ? copy_non_temporal(to, from, bytes) : copy_bytes(to, from, bytes);
  return timed ? note_of_timed(preference_, way, begin, bytes) : 0;
}

}  // namespace tutti::shm

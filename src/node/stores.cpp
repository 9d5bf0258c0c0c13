#include "node/stores.hpp"

#include <algorithm>
#include <cstdint>

#include "clock/cycles.hpp"
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tutti::node {
namespace {

constexpr std::size_t line = 64;

#if defined(__SSE2__)
constexpr bool can_go_past = true;

/// Whole lines past the caches, what is before and after them through.  All of it is seen before any later store.
void copy_past(std::byte* to, const std::byte* from, std::size_t bytes) {
  const std::size_t ahead = std::min(bytes, (line - reinterpret_cast<std::uintptr_t>(to) % line) % line);
  copy_bytes(to, from, ahead);
  std::size_t at = ahead;
  for (; at + line <= bytes; at += line) {
    const auto* const source = reinterpret_cast<const __m128i*>(from + at);
    auto* const target = reinterpret_cast<__m128i*>(to + at);
    const __m128i first = _mm_loadu_si128(source), second = _mm_loadu_si128(source + 1);
    const __m128i third = _mm_loadu_si128(source + 2), fourth = _mm_loadu_si128(source + 3);
    _mm_stream_si128(target, first);
    _mm_stream_si128(target + 1, second);
    _mm_stream_si128(target + 2, third);
    _mm_stream_si128(target + 3, fourth);
  }
  copy_bytes(to + at, from + at, bytes - at);
  _mm_sfence();
}

/// Waits for stores that still wait for their lines: only then could a reader have them.
void drain() { _mm_mfence(); }
#else
constexpr bool can_go_past = false;

void drain() {}

void copy_past(std::byte* to, const std::byte* from, std::size_t bytes) { copy_bytes(to, from, bytes); }
#endif

/// A time during which another process had the core counts twice what is usual at most.
double smoothed(double known, double found) {
  constexpr double at_most = 2, weight = 0.25;
  return known == 0 ? found : known + weight * (std::min(found, at_most * known) - known);
}

/// A timed write that began then is over once its stores are there.
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

/// Readers differ; each counts a little.
void Preference::heard(const ReadCosts& costs) {
  for (std::size_t way = 0; way < reading_.size(); ++way)
    if (const float cost = costs.cycles[way].load(std::memory_order_relaxed); cost != 0)
      reading_[way] = smoothed(reading_[way], cost);
}

/// By what writer and reader need together; as long as no reader has said so, by the writer's part and a guess.
void Preference::decide() {
  constexpr double stay = 0.75, margin = 0.05;
  const auto [through, past] = cycles_;
  if (through == 0 || past == 0) return;
  const bool is_past = way_ == Way::past;
  double worth = (2 * past + farther) * (is_past ? stay : 1);
  if (reading_[0] != 0 && reading_[1] != 0)
    worth = (past + reading_[1]) * (is_past ? 1 - margin : 1 + margin) - reading_[0];
  way_ = through > worth ? Way::past : Way::through;
}

Note BriefStores::copy_timed(Way way, std::byte* to, const std::byte* from, std::size_t bytes) {
  const std::uint64_t begin = cycle_count();
  copy_bytes(to, from, bytes);
  return note_of_timed(preference_, way, begin, bytes);
}

Note Stores::copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (!can_go_past) {
    copy_bytes(to, from, bytes);
    return 0;
  }
  const auto [way, timed] = preference_.next();
  const std::uint64_t begin = timed ? cycle_count() : 0;
  went_past_ = way == Way::past;
  went_past_ ? copy_past(to, from, bytes) : copy_bytes(to, from, bytes);
  return timed ? note_of_timed(preference_, way, begin, bytes) : 0;
}

}  // namespace tutti::node

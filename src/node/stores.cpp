#include "node/stores.hpp"

#include <algorithm>
#include <cstdint>

#include "clock/cycles.hpp"
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
#else
constexpr bool can_go_past = false;

void copy_past(std::byte* to, const std::byte* from, std::size_t bytes) { copy_bytes(to, from, bytes); }
#endif

}  // namespace

/// A write during which another process had the core counts twice what is usual at most.
void Preference::took(Way way, double cycles_a_line) {
  constexpr double at_most = 2, weight = 0.25, stay = 0.75;
  double& known = cycles_[static_cast<std::size_t>(way)];
  known = known == 0 ? cycles_a_line : known + weight * (std::min(cycles_a_line, at_most * known) - known);
  const auto [through, past] = cycles_;
  if (through == 0 || past == 0) return;
  const double worth = 2 * past + farther;
  way_ = through > (way_ == Way::past ? stay * worth : worth) ? Way::past : Way::through;
}

void Stores::copy_long(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (!can_go_past) return copy_bytes(to, from, bytes);
  const auto [way, timed] = preference_.next();
  const std::uint64_t begin = timed ? cycle_count() : 0;
  way == Way::past ? copy_past(to, from, bytes) : copy_bytes(to, from, bytes);
  if (timed) preference_.took(way, static_cast<double>(cycle_count() - begin) * line / static_cast<double>(bytes));
}

}  // namespace tutti::node

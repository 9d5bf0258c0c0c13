#include "shm/copy/non_temporal.hpp"

#include <algorithm>
#include <cstdint>

#include "shm/copy/copy.hpp"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tutti::shm {

#if defined(__SSE2__)
void copy_non_temporal(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t line = 64;
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

void drain() { _mm_mfence(); }
#else
void copy_non_temporal(std::byte* to, const std::byte* from, std::size_t bytes) { copy_bytes(to, from, bytes); }

void drain() {}
#endif

double smoothed(double known, double found) {
  constexpr double at_most = 2, weight = 0.25;
  return known == 0 ? found : known + weight * (std::min(found, at_most * known) - known);
}

}  // namespace tutti::shm

#include "bench/flush.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#else
#include <numeric>
#include <vector>

#include "bench/caches.hpp"
#endif

namespace tutti::bench {

#if defined(__x86_64__)

void flush_from_caches(const void* data, std::size_t bytes) {
  constexpr std::size_t line = 64;
  const auto* const begin = static_cast<const char*>(data);
  for (std::size_t i = 0; i < bytes; i += line) _mm_clflush(begin + i);
  if (bytes > 0) _mm_clflush(begin + bytes - 1);
  _mm_mfence();
}

#elif defined(__aarch64__)

void flush_from_caches(const void* data, std::size_t bytes) {
  constexpr std::size_t line = 64;
  const auto* const begin = static_cast<const char*>(data);
  for (std::size_t i = 0; i < bytes; i += line) asm volatile("dc civac, %0" : : "r"(begin + i) : "memory");
  if (bytes > 0) asm volatile("dc civac, %0" : : "r"(begin + bytes - 1) : "memory");
  asm volatile("dsb ish" : : : "memory");
}

#else

void flush_from_caches(const void*, std::size_t) {
  static std::vector<int> others(2 * static_cast<std::size_t>(last_level_caches()) / sizeof(int), 1);
  asm volatile("" : : "r"(std::accumulate(others.begin(), others.end(), 0)) : "memory");
}

#endif

}  // namespace tutti::bench

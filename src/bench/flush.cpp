#include "bench/flush.hpp"

#include <unistd.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#else
#include <numeric>
#include <vector>
#endif

namespace tutti::bench {

std::size_t last_level_cache() {
  const long level3 = sysconf(_SC_LEVEL3_CACHE_SIZE), level2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
  constexpr long unknown = 32L << 20;
  return static_cast<std::size_t>(level3 > 0 ? level3 : level2 > 0 ? level2 : unknown);
}

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
  static std::vector<int> others(2 * last_level_cache() / sizeof(int), 1);
  asm volatile("" : : "r"(std::accumulate(others.begin(), others.end(), 0)) : "memory");
}

#endif

}  // namespace tutti::bench

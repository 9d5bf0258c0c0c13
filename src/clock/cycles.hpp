#pragma once
/// The counter that runs at one rate on all CPUs and in all states of theirs.  By the compiler's own names: to include
/// those of <x86intrin.h> takes as long as to compile the rest of a file.
#include <cstdint>

namespace tutti {

/// 0 where there is none.
inline std::uint64_t cycle_count() {
#if defined(__x86_64__)
  unsigned cpu = 0;
  return __builtin_ia32_rdtscp(&cpu);  // not before the work in front of it has been done
#elif defined(__aarch64__)
  std::uint64_t count = 0;
  asm volatile("isb; mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return 0;
#endif
}

/// The same in half the time, and some ten nanoseconds early at most: the processor does not wait for what is in front.
inline std::uint64_t cycle_count_unordered() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t count = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return 0;
#endif
}

/// Whether the counter is invariant, and the kernel itself keeps time by it (which it does not where CPUs disagree).
bool cycles_are_invariant();

}  // namespace tutti

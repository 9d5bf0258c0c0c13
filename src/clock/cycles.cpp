#include "clock/cycles.hpp"

#include <fstream>
#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tutti {

namespace {

bool counter_is_invariant() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned power_leaf = 0x80000007, invariant = 1U << 8;
  return __get_cpuid(power_leaf, &a, &b, &c, &d) != 0 && (d & invariant) != 0;
#elif defined(__aarch64__)
  return true;  // by the architecture
#else
  return false;
#endif
}

std::string kernel_clock() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string word;
  file >> word;
  return word;
}

}  // namespace

bool cycles_are_invariant() {
  const std::string kernel = kernel_clock();
  return counter_is_invariant() && (kernel == "tsc" || kernel == "arch_sys_counter");
}

}  // namespace tutti

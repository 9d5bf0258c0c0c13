#include "bench/backend/computing.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace tutti::bench {

void compute(std::int64_t operations) {
  double value = 1;
  for (std::int64_t i = 0; i < operations; ++i) {
    value = value * 0.999999 + 1e-6;
    asm volatile("" : "+m"(value));  // each is done, and in order
  }
}

std::int64_t operations_for(double seconds, Team& team, const GlobalClock& clock) {
  constexpr std::int64_t probe = 20000;
  double least = std::numeric_limits<double>::max();
  for (int trial = 0; trial < 50; ++trial) {
    const double begin = clock.now();
    compute(probe);
    least = std::min(least, clock.now() - begin);
  }
  std::array<double, 1> operations = {seconds * static_cast<double>(probe) / least};
  team.maximum(operations);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(operations[0]));
}

}  // namespace tutti::bench

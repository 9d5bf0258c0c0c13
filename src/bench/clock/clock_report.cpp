#include "bench/clock/clock_report.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::bench {

double ClockReport::largest(double ClockError::*member) const {
  double most = 0;
  for (const ClockError& rank : ranks) most = std::max(most, std::abs(rank.*member));
  return most;
}

}  // namespace tutti::bench

#include "bench/waits.hpp"

#include <algorithm>
#include <cmath>

#include "bench/statistics.hpp"

namespace tutti::bench {

void Waits::add(const ExitCall& call, Stay stay) {
  std::vector<double> copies;
  for (Rank rank = 0; rank < call.ranks; ++rank) {
    const auto found = costs_.copies.find(own_bytes(call, rank));
    copies.push_back(found == costs_.copies.end() ? 0 : found->second);
  }
  stay.earliest = earliest_exits(call, stay.arrivals, copies, {costs_.hosts, costs_.cpus, costs_.switching});
  avoidable_.push_back(avoidable_wait(stay.exits, stay.earliest));
  error_ = std::max(error_, avoidable_error(call, costs_.apart, costs_.reading));
  if (stays_.empty() || 3 * stay.exits.size() * stays_.size() < room) stays_.push_back(std::move(stay));
}

const Stay& Waits::usual() const {
  const double median = summarise(avoidable_).median;
  std::size_t best = 0;
  for (std::size_t i = 1; i < stays_.size(); ++i)
    if (std::abs(avoidable_[i] - median) < std::abs(avoidable_[best] - median)) best = i;
  return stays_[best];
}

}  // namespace tutti::bench

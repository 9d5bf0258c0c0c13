#include "bench/clock_model.hpp"

#include <algorithm>
#include <vector>

namespace tutti::bench {

ClockModel fit(std::span<const OffsetSample> samples) {
  std::vector<OffsetSample> tight(samples.begin(), samples.end());
  const auto half = tight.begin() + static_cast<std::ptrdiff_t>((tight.size() + 1) / 2);
  std::nth_element(tight.begin(), half - 1, tight.end(),
                   [](const OffsetSample& a, const OffsetSample& b) { return a.round_trip < b.round_trip; });
  tight.erase(half, tight.end());
  const auto count = static_cast<double>(tight.size());
  // About their means, since times since a machine's start are large beside what they differ by.
  ClockModel model;
  for (const OffsetSample& sample : tight) model.origin += (sample.local - tight[0].local) / count;
  model.origin += tight[0].local;
  for (const OffsetSample& sample : tight) model.intercept += (sample.offset - tight[0].offset) / count;
  model.intercept += tight[0].offset;
  double squares = 0, products = 0;
  for (const OffsetSample& sample : tight) {
    const double time = sample.local - model.origin;
    squares += time * time;
    products += time * (sample.offset - model.intercept);
  }
  if (squares > 0) model.slope = products / squares;
  return model;
}

}  // namespace tutti::bench

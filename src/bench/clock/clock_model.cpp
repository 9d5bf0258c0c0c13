#include "bench/clock/clock_model.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace tutti::bench {

namespace {

struct Slopes {
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
};

/// Of the lines that pass every sample within half its round trip, as the true one does: that holds for all of them if
/// it holds for every two.
Slopes slopes_through(std::span<const OffsetSample> samples) {
  Slopes slopes;
  for (const OffsetSample& late : samples)
    for (const OffsetSample& early : samples) {
      const double time = late.local - early.local, rise = late.offset - early.offset;
      if (!(time > 0)) continue;
      const double unsure = (late.round_trip + early.round_trip) / 2;
      slopes.least = std::max(slopes.least, (rise - unsure) / time);
      slopes.most = std::min(slopes.most, (rise + unsure) / time);
    }
  return slopes;
}

}  // namespace

ClockModel fit(std::span<const OffsetSample> samples) {
  std::vector<OffsetSample> tight(samples.begin(), samples.end());
  const auto half = tight.begin() + static_cast<std::ptrdiff_t>((tight.size() + 1) / 2);
  std::nth_element(tight.begin(), half - 1, tight.end(),
                   [](const OffsetSample& a, const OffsetSample& b) { return a.round_trip < b.round_trip; });
  tight.erase(half, tight.end());
  // A sample is wrong by half its round trip at most, and counts accordingly: on a busy machine some take ten times as
  // long as others.
  const auto weight = [](const OffsetSample& sample) {
    const double trip = std::max(sample.round_trip, 1e-9);
    return 1 / (trip * trip);
  };
  double weights = 0;
  for (const OffsetSample& sample : tight) weights += weight(sample);
  // About their means, since times since a machine's start are large beside what they differ by.
  ClockModel model;
  for (const OffsetSample& sample : tight)
    model.origin += (sample.local - tight[0].local) * weight(sample) / weights,
        model.intercept += (sample.offset - tight[0].offset) * weight(sample) / weights;
  model.origin += tight[0].local, model.intercept += tight[0].offset;
  double squares = 0, products = 0;
  for (const OffsetSample& sample : tight) {
    const double time = sample.local - model.origin;
    squares += weight(sample) * time * time;
    products += weight(sample) * time * (sample.offset - model.intercept);
  }
  if (squares > 0) model.slope = products / squares;
  const Slopes possible = slopes_through(samples);
  if (possible.least <= possible.most) model.slope = std::clamp(model.slope, possible.least, possible.most);
  model.slope_within = std::max(possible.most - model.slope, model.slope - possible.least);
  return model;
}

}  // namespace tutti::bench

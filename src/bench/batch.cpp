#include "bench/batch.hpp"

#include <algorithm>

namespace tutti::bench {

namespace {

constexpr double far_apart = 8;  // times as long: no batch suits both

/// The power of two, `most` at most, of calls that last `wanted` seconds together.
int batch_for(double seconds, double wanted, int most) {
  int batch = 1;
  while (batch < most && batch * seconds < wanted) batch *= 2;
  return batch;
}

}  // namespace

std::array<int, 2> batches_for(const Pace& pace) {
  const auto [faster, slower] = std::minmax(pace.seconds[0], pace.seconds[1]);
  const double wanted = std::clamp(20 * pace.skew, 30e-6, 2e-3);
  int common = batch_for(pace.same_function ? slower : faster, wanted, std::min(pace.most, most_in_batch));
  if (pace.same_function || common * slower < longest_batch) return {common, common};
  if (slower >= far_apart * faster) {
    const auto own = [&](double seconds) { return batch_for(seconds, longest_batch / 2, pace.most); };
    return {own(pace.seconds[0]), own(pace.seconds[1])};
  }
  while (common > 1 && common * slower >= longest_batch) common /= 2;
  return {common, common};
}

}  // namespace tutti::bench

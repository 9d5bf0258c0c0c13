#pragma once
/// Measures the parts of lower bounds between the ranks of a measurement: one-way core-to-core latency, context switch,
/// copy.
///
/// While one or two ranks measure, the others sleep.  Every call is collective over the team, and all ranks get the
/// same seconds.  Figures are medians over batches, as those of the calls are.
#include <cstdint>
#include <functional>

#include "bench/backend/shared_lines.hpp"
#include "bench/backend/team.hpp"
#include "bench/results.hpp"

namespace tutti::bench {

class Gauge {
 public:
  /// Throws std::invalid_argument where the ranks are on several nodes, std::runtime_error where they cannot share
  /// memory.
  explicit Gauge(Team& team);

  /// The least time of a call of `what`, from figures taken now.
  Bound bound(const Case& what);

 private:
  double flag();
  double switching();
  double copy(std::int64_t bytes, bool warm);

  double both_ways(int partner, bool yielding);
  double answered(double mine);
  int partner_on(int cpu) const;
  void alone(const std::function<void()>& work, bool taking_part);

  Team& team_;
  SharedLines lines_;               ///< one for each rank, and one with the number of finished measurements
  std::uint64_t turn_ = 0;          ///< of ping-pongs; the same on all ranks
  std::uint64_t measurements_ = 0;  ///< the same on all ranks
};

}  // namespace tutti::bench

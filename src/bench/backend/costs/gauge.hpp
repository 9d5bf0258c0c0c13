#pragma once
/// Measures the parts of lower bounds between the ranks of a measurement: one-way core-to-core latency, context switch,
/// copy.
///
/// While one or two ranks measure, the others sleep.  Every call is collective over the team, and all ranks get the
/// same seconds.  Figures are medians over batches, as those of the calls are.
#include <cstdint>

#include "bench/backend/shared_lines.hpp"
#include "bench/backend/team.hpp"
#include "bench/results.hpp"

namespace tutti::bench {

class Gauge {
 public:
  /// Throws std::invalid_argument where the ranks are on several nodes, std::runtime_error where they cannot share
  /// memory.
  explicit Gauge(Team& team);
  /// Whether it throws nothing; collective.
  static bool possible(Team& team) { return team.one_node() && SharedLines(team, 1); }

  /// The least time of a call of `what`, from figures taken now.
  Bound bound(const Case& what);
  /// A context switch from one rank to another on one CPU.
  double switching();

 private:
  double flag();

  double both_ways(int partner, bool yielding);
  double answered(double mine);
  int partner_on(int cpu) const;

  Team& team_;
  SharedLines lines_;       ///< one for each rank
  std::uint64_t turn_ = 0;  ///< of ping-pongs; the same on all ranks
};

}  // namespace tutti::bench

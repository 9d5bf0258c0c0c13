#pragma once
/// Measures in a launch what the earliest exits of its cases follow from.
#include <map>
#include <optional>
#include <utility>

#include "bench/backend/global_clock.hpp"
#include "bench/backend/team.hpp"
#include "bench/options.hpp"
#include "bench/waits.hpp"

namespace tutti::bench {

class Costing {
 public:
  Costing(Team& team, const GlobalClock& clock) : team_(team), clock_(clock) {}

  /// Collective.  Each size is copied once in a launch and state of caches, on rank 0 while the others sleep.
  ExitCosts costs(const Case& what, const ExitCall& call);

 private:
  double copy(std::int64_t bytes, bool kept);
  double switching();

  Team& team_;
  const GlobalClock& clock_;
  std::map<std::pair<std::int64_t, bool>, double> copies_;  ///< the same on all ranks
  std::optional<double> switching_;
};

}  // namespace tutti::bench

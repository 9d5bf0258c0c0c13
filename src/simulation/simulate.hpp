#pragma once
/// One collective call on a simulated machine.
#include <optional>
#include <string>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "arrival/pattern.hpp"
#include "simulation/engine.hpp"

namespace tutti::simulation {

/// What is called, and how it is carried out.
struct Call {
  Collective collective = Collective::barrier;
  Rank root = 0;
  std::int64_t bytes = 0;  ///< of the vector, or of a block
  ScheduleMaker schedule;  ///< of all ranks, or of the nodes
  Parameters parameters{};
  int senders = 0;  ///< 0: schedules of all ranks; else phases inside the nodes, and so many leaders of each
  /// Of the pieces that a vector passes in; of the slice that one leader has of a piece the parameters follow.
  std::int64_t overlap = INT64_MAX;
  std::function<Parameters(std::int64_t)> parameters_of_slice{};
};

struct Options {
  ArrivalPattern arrival = ArrivalPattern::none;
  double skew = 0;  ///< seconds between the first and the last
  bool fold = true;
  bool trace = false;
  int threads = 1;
  Tick tick{};
};

struct Result {
  Stamp end;  ///< of the last rank; its parts are those of the longest path
  Time last_entry = 0;
  Time first_exit = 0;
  Rank last = 0;  ///< the rank that ends last
  Counts counts;
  Fold::Kind fold = Fold::Kind::none;
  int simulated = 0;  ///< ranks (leaders) that were run
  std::size_t most_under_way = 0;
  std::vector<Event> events;
};

/// Throws std::invalid_argument (a machine or a call that cannot be), SimulationError (schedules, limits).
Result simulate(const Machine& machine, const Call& call, const Options& options);

}  // namespace tutti::simulation

#include "simulation/goal/run.hpp"

#include "simulation/goal/goal_engine.hpp"
#include "simulation/hierarchy.hpp"

namespace tutti::simulation {

Result run_goal(const Machine& machine, const std::vector<Program>& programs, bool trace, const Tick& tick) {
  check(machine);
  if (programs.size() > static_cast<std::size_t>(machine.ranks()))
    throw std::invalid_argument("the program has " + std::to_string(programs.size()) + " ranks, and the machine " +
                                std::to_string(machine.ranks()));
  Trace notes;
  GoalEngine engine(machine, programs, tick, trace ? &notes : nullptr);
  Result result;
  const std::vector<Stamp> ends = engine.run();
  result.counts = engine.counts();
  result.simulated = static_cast<int>(programs.size());
  result.events = std::move(notes.events);
  conclude(result, ends);
  return result;
}

}  // namespace tutti::simulation

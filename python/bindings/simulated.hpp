#pragma once
/// What several files of bindings say about simulations.
#include "bindings.hpp"
#include "simulation/simulate.hpp"

namespace tutti::bindings {

double seconds(simulation::Time time);
/// From a dictionary of tutti.simulation.machine.  Throws std::invalid_argument, which names the field.
simulation::Machine machine_of(const nb::dict& row);
/// Throws std::invalid_argument where such a spec cannot be simulated there.
simulation::Call call_of(Collective which, std::string_view text, const simulation::Machine& machine, Rank root,
                         std::int64_t bytes);
nb::dict row_of(const simulation::Result& result);
/// Between events: Ctrl-C ends the simulation.
void tick(std::int64_t messages);

}  // namespace tutti::bindings

#pragma once
/// Runs programs of GOAL under LogGOPS, on the machines and with the costs of the other simulations.
///
/// An operation is ready when what it requires has ended or begun.  A calc and a send take their rank's processor (of
/// that number), first come, first served; a send then goes as in simulation/machine.hpp.  A receive is posted when it
/// is ready, which takes nothing.  A message that has come goes to the first receive that was posted for its sender and
/// tag, and a receive takes the first message that has come; messages of two ranks with one tag do not overtake.  The
/// receiver's processor then works o + s O, and the receive has ended.  A send has ended when its processor is free,
/// and from S bytes on when its data has left.
#include "simulation/goal/program.hpp"
#include "simulation/simulate.hpp"

namespace tutti::simulation {

/// Throws std::invalid_argument (machine), SimulationError (programs that do not fit together or the machine, limits).
Result run_goal(const Machine& machine, const std::vector<Program>& programs, bool trace, const Tick& tick = {});

}  // namespace tutti::simulation

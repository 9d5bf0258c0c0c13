#pragma once
/// From one rank's schedule to its operations.
///
/// The order is that of the actions (simulation/action.hpp), on one processor: each operation requires the one before.
/// A receive is posted at its turn, and what comes after it does not wait for it until an action completes it; nor for
/// a send by rendezvous.  Reductions and copies are calcs of whole nanoseconds.  Messages from rank to rank have tag 0,
/// those of set s of their receiver have tag s + 1 and are received from any rank.
#include "simulation/costs.hpp"
#include "simulation/goal/program.hpp"
#include "simulation/ordering.hpp"

namespace tutti::simulation {

Program program_of(const Machine& machine, const Costs& costs, Schedule schedule, const Seat& seat);

}  // namespace tutti::simulation

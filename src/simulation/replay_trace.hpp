#pragma once
/// One rank's schedule as SimGrid replays it (`smpirun -replay`): a line an action, `0 send 1 0 1000`.
///
/// The order is that of the actions (action.hpp).  A receive that is posted early is an irecv with its wait, a send by
/// rendezvous an isend with its wait.  The k-th message from rank to rank has tag k, so that a wait names one message.
/// Reductions and copies are computation, on a host of one flop a nanosecond.
#include <string>

#include "simulation/costs.hpp"
#include "simulation/ordering.hpp"

namespace tutti::simulation {

/// Throws std::invalid_argument where the schedule receives from whoever comes first: a wait must name its message.
std::string replay_trace(const Machine& machine, const Costs& costs, Schedule schedule, const Seat& seat);

}  // namespace tutti::simulation

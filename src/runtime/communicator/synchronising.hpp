#pragma once
/// Calls in which no rank may leave before all have come, whoever carries them out.
#include "runtime/plan/operation.hpp"

namespace tutti::runtime {

/// Whether each rank's result depends on what every other rank gives: then a rank cannot leave before all have come,
/// and may be made to wait for them.  Not so a short bcast for its root, or a short reduce for the others: programs
/// count on it (a reduce and then a send, against a receive and then the reduce).  By what is the same on all ranks;
/// arguments must have been found valid_arguments.
bool synchronises(const Operation& call, int ranks);

}  // namespace tutti::runtime

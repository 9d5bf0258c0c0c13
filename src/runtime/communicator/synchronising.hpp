#pragma once
/// Calls in which no rank may leave before all have entered, whichever library runs them.
#include "runtime/plan/operation.hpp"

namespace tutti::runtime {

/// Whether each rank's result depends on every other rank's data: then a rank cannot leave before all have entered, and
/// may wait for them.  This does not hold for the root of a short bcast, or the others in a short reduce: programs rely
/// on it (a reduce and then a send, against a receive and then the reduce).  Uses only what is the same on all ranks;
/// arguments must be valid.
bool synchronises(const Operation& call, int ranks);

}  // namespace tutti::runtime

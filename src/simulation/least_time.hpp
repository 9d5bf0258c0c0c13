#pragma once
/// A lower bound on what any algorithm takes on the machine, to print a simulated time beside.
#include "analysis/problem.hpp"
#include "simulation/machine.hpp"
#include "simulation/time.hpp"

namespace tutti::simulation {

/// The largest of three bounds, each by itself:
///
/// - news of one rank must reach all nodes: as in the fastest broadcast of LogP, in which everybody who knows sends on
///   as fast as he can (Karp, Sahay, Santos & Schauser 1993), a node's ranks all at once and inside a node for nothing;
/// - the bytes that some node must send or receive (models/bounds.hpp), over its network cards;
/// - the reductions, spread over all ranks.
///
/// On one node: one message's latency, and the reductions.
Time least_time(const Machine& machine, const Problem& problem);

}  // namespace tutti::simulation

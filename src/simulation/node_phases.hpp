#pragma once
/// What the phases inside a node of node(INTER, senders=k) take: a model of the node engine (docs/node-engine.md).
///
/// To meet, each rank writes a word that the others read: L + (n - 1) o inside the node.  A rank that copies or
/// combines pays for each byte; where the machine has a limit for a node's memory, all its ranks together pay for
/// theirs, and the longer of both counts.  A reduction is made by the leaders, or by all ranks, a share each, and the
/// shares copied: whichever is shorter.
#include <cstdint>

#include "core/collective.hpp"
#include "simulation/costs.hpp"

namespace tutti::simulation {

/// Before and after the exchange between nodes.
struct NodePhases {
  Time before = 0, after = 0;                  ///< of every node
  Time before_at_root = 0, after_at_root = 0;  ///< of the root's node instead, in rooted collectives
};

struct NodeCall {
  Collective collective = Collective::barrier;
  int nodes = 1, per_node = 1, senders = 1;
  std::int64_t bytes = 0;  ///< of the vector, or of a block
};

NodePhases node_phases(const NodeCall& call, const Costs& costs);

}  // namespace tutti::simulation

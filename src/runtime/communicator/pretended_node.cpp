#include <cstdlib>

#include "runtime/platform/location.hpp"
#include "runtime/platform/pmpi.hpp"
#include "selection/pretended.hpp"

namespace tutti::runtime {

/// As a node's name, it is local to this process: ranks agree only on which of them share a node.
std::string pretended_node() {
  const char* const asked = std::getenv("TUTTI_PRETEND_NODES");
  const auto nodes = asked ? PretendedNodes::parse(asked) : std::nullopt;
  int rank = 0, world = 0;
  if (!nodes || pmpi.Initialized(&world) != MPI_SUCCESS || !world) return "";
  if (pmpi.Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS) return "";
  return "|" + std::to_string(nodes->node_of(rank));
}

}  // namespace tutti::runtime

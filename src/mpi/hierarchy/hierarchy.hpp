#pragma once
/// What a communicator over several nodes owns: who is where, the engine of this rank's node, and the way to the other
/// nodes' leaders.
#include <mpi.h>

#include <map>
#include <memory>
#include <string>

#include "mpi/engine.hpp"
#include "mpi/hierarchy/nodes.hpp"
#include "mpi/operation.hpp"
#include "mpi/state.hpp"
#include "mpi/wire.hpp"
#include "selection/choice.hpp"

namespace tutti::mpi {

struct Hierarchy {
  Nodes nodes;
  int node, member;                ///< of this rank
  std::unique_ptr<Engine> engine;  ///< of the ranks on this node
  Wire& messages;                  ///< among all ranks: numbers the calls
  Wire lane;                       ///< the same, seen by the leaders of a lane: one rank a node

  Hierarchy(Nodes places, Rank me, Wire& wire);
  ~Hierarchy();
  Hierarchy(const Hierarchy&) = delete;

  /// The crews of that many senders.
  const Formation& formation(int senders);
  /// The communicator of this rank's lane, where it leads one, for the MPI library's own collectives.  Collective over
  /// all ranks at the first call for so many senders.  MPI_COMM_NULL where this rank leads none; throws MpiError.
  MPI_Comm lane_communicator(MPI_Comm all, int senders);
  bool has_lanes(int senders) const { return communicators_.contains(senders); }

 private:
  std::map<int, Formation> formations_;
  std::map<int, MPI_Comm> communicators_;
};

/// Collective over the active communicator.  Null where it is refused; then `why` is one sentence.
std::unique_ptr<Hierarchy> make_hierarchy(State& state, Wire& messages, std::string& why);

/// Carries the call out in each node and between them, as that choice says.  Every rank of the communicator makes the
/// same calls in the same order.  Returns an MPI error code; never throws.
int execute_on_nodes(const Operation& call, Hierarchy& hierarchy, const Choice& choice) noexcept;

}  // namespace tutti::mpi

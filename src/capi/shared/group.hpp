#pragma once
/// Who shares a result with whom: the ranks of a communicator by nodes, and one leader a node, its first rank.
#include <mpi.h>

#include <string>
#include <vector>

#include "runtime/communicator/engine.hpp"
#include "runtime/communicator/state.hpp"

namespace tutti::shared {

struct Group {
  MPI_Comm comm = MPI_COMM_NULL;  ///< the user's
  int rank = 0, size = 1;
  std::vector<int> node_of;          ///< of each rank; nodes are numbered by their first ranks
  int node_rank = 0, node_size = 1;  ///< among the ranks of my node, in rank order
  int nodes = 1;
  MPI_Comm node = MPI_COMM_NULL;     ///< the ranks of my node; the user's own where they are all, null for one alone
  MPI_Comm leaders = MPI_COMM_NULL;  ///< the leaders by node; null in other ranks; the user's own where all lead
  runtime::State* served = nullptr;  ///< of `node`: its engine combines and waits

  bool leads() const { return node_rank == 0; }
  int my_node() const { return node_of[static_cast<std::size_t>(rank)]; }
  bool here(int other) const { return node_of[static_cast<std::size_t>(other)] == my_node(); }
  /// Whether each node's ranks come one after the other.
  bool in_rows() const;
  runtime::Engine* engine() const;
  /// Ends on no rank of my node before all have come, and what they have written is seen.
  void meet() const;
};

/// The two ways to group a communicator, kept with it.
class Sharing : public runtime::Attachment {
 public:
  /// Local.
  Sharing(MPI_Comm comm, int rank, int size);
  ~Sharing() override;
  Sharing(const Sharing&) = delete;

  /// Every rank for itself.
  const Group& alone() const { return alone_; }
  /// By nodes; collective at the first call.  Null where nobody shares; then `why_alone` says why.  Throws MpiError.
  const Group* by_nodes(runtime::State& state);
  const std::string& why_alone() const { return why_; }

 private:
  bool split(runtime::State& state, const std::vector<std::uint64_t>& identities);
  Group alone_, by_nodes_;
  bool tried_ = false, possible_ = false, counted_ = false;
  std::string why_;
};

/// The data attached to the communicator, made at its first result.
Sharing& sharing_of(runtime::State& state, int rank);

}  // namespace tutti::shared

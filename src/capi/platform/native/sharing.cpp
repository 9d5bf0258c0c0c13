/// Who shares: the ranks of each node, on communicators of their own.
#include <algorithm>
#include <atomic>

#include "capi/shared/group.hpp"
#include "runtime/communicator/active.hpp"
#include "runtime/communicator/agreement.hpp"
#include "runtime/platform/location.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/platform/quiet_errors.hpp"

namespace tutti::shared {

using runtime::pmpi;

namespace {

/// Communicators are finite (MPICH: 2048), and each of these takes two: most must be left to the program.
constexpr int most_split = 128;
std::atomic<int> splits{0};

/// Numbers for nodes in the order of their first ranks.
std::vector<int> numbered(const std::vector<std::uint64_t>& identities) {
  std::vector<std::uint64_t> seen;
  std::vector<int> numbers;
  for (const std::uint64_t identity : identities) {
    const auto found = std::find(seen.begin(), seen.end(), identity);
    numbers.push_back(static_cast<int>(found - seen.begin()));
    if (found == seen.end()) seen.push_back(identity);
  }
  return numbers;
}

MPI_Comm split_off(MPI_Comm comm, int color, int rank) {
  const runtime::QuietErrors quiet(comm);
  MPI_Comm made = MPI_COMM_NULL;
  if (pmpi.Comm_split(comm, color, rank, &made) != MPI_SUCCESS) return MPI_COMM_NULL;
  if (made != MPI_COMM_NULL) pmpi.Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  return made;
}

void give_back(MPI_Comm& comm, MPI_Comm users) {
  if (comm != MPI_COMM_NULL && comm != users && !runtime::finalizing()) pmpi.Comm_free(&comm);
  comm = MPI_COMM_NULL;
}

/// The state of a communicator that is served from its first call on.
runtime::State* served(MPI_Comm comm) {
  runtime::State* const state = runtime::acquire_state(comm);
  if (state && state->mode == runtime::Mode::counting) runtime::activate(*state);
  return state && state->mode == runtime::Mode::active ? state : nullptr;
}

}  // namespace

/// Inside the delete callback of the user's communicator; resources.cpp says why that is safe (free_wire).
Sharing::~Sharing() {
  give_back(by_nodes_.leaders, by_nodes_.comm);
  give_back(by_nodes_.node, by_nodes_.comm);
  if (counted_) --splits;
}

/// Where ranks are on several nodes: a communicator for each node, and one for their leaders.
bool Sharing::split(runtime::State& state, const std::vector<std::uint64_t>& identities) {
  Group& group = by_nodes_;
  group.node_of = numbered(identities);
  group.nodes = 1 + *std::max_element(group.node_of.begin(), group.node_of.end());
  runtime::Agreement ranks(state.comm, group.rank, group.size, nullptr);
  why_ = "private communicators are used up";
  if (!ranks.all(splits.load() < most_split)) return false;
  ++splits, counted_ = true;
  group.node = split_off(state.comm, group.my_node(), group.rank);
  if (group.node != MPI_COMM_NULL) {
    pmpi.Comm_rank(group.node, &group.node_rank);
    pmpi.Comm_size(group.node, &group.node_size);
  }
  group.leaders = split_off(state.comm, group.leads() ? 0 : MPI_UNDEFINED, group.rank);
  why_ = "the MPI library has no communicator left";
  if (!ranks.all(group.node != MPI_COMM_NULL && (group.leaders != MPI_COMM_NULL || !group.leads()))) return false;
  if (group.node_size > 1) group.served = served(group.node);
  return true;
}

const Group* Sharing::by_nodes(runtime::State& state) {
  if (tried_) return possible_ ? &by_nodes_ : nullptr;
  tried_ = true;
  why_ = "no other rank is in this communicator";
  if (by_nodes_.size == 1) return nullptr;
  if (state.mode == runtime::Mode::counting) runtime::activate(state);
  why_ = "this communicator is left to the MPI library (TUTTI_EXPLAIN=1 says why)";
  if (state.mode != runtime::Mode::active) return nullptr;
  std::vector<std::uint64_t> identities(static_cast<std::size_t>(by_nodes_.size));
  if (state.active->placement.nodes == 1) {
    by_nodes_.node = state.comm, by_nodes_.node_rank = by_nodes_.rank, by_nodes_.node_size = by_nodes_.size;
    by_nodes_.node_of.assign(identities.size(), 0);
    by_nodes_.served = &state;
    possible_ = true;
  } else {
    runtime::Agreement(state.comm, by_nodes_.rank, by_nodes_.size, nullptr)
        .gather(runtime::node_identity(), identities);
    possible_ = split(state, identities);
  }
  return possible_ ? &by_nodes_ : nullptr;
}

}  // namespace tutti::shared

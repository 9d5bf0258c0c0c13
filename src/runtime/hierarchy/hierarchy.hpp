#pragma once
/// What a communicator over several nodes owns: the node map, the engine of this rank's node, and the private
/// communicator to the other nodes' leaders.
#include <mpi.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/communicator/engine.hpp"
#include "runtime/communicator/state.hpp"
#include "runtime/hierarchy/nodes.hpp"
#include "runtime/plan/operation.hpp"
#include "runtime/wire/private_comm.hpp"
#include "selection/choice.hpp"

namespace tutti::runtime {

struct Hierarchy {
  Nodes nodes;
  int node, member;                ///< of this rank
  std::unique_ptr<Engine> engine;  ///< of the ranks on this node
  PrivateComm& messages;           ///< among all ranks: numbers the calls
  PrivateComm lane;                ///< the same, seen by the leaders of a lane: one rank a node

  Hierarchy(Nodes places, Rank me, PrivateComm& wire);
  ~Hierarchy();
  Hierarchy(const Hierarchy&) = delete;

  /// What decides who leads the lane of this rank's crew on each node.
  struct Lane {
    int senders = 0, crew = 0;
    Rank root = no_root;
    bool operator==(const Lane&) const = default;
  };
  static constexpr Rank no_root = -1;
  /// `lane` goes among these leaders from now on: `leader(node)` is a member.  Asked where they are others than before.
  template <class Leader>
  void lead_lane(const Lane& which, Leader&& leader) {
    if (which == led_) return;
    leaders_.clear();
    for (int at = 0; at < nodes.count(); ++at) leaders_.push_back(nodes.rank_of(at, leader(at)));
    lane.peers = leaders_.data(), lane.places = nodes.map();
    led_ = which;
  }
  /// The crews of that many senders.
  const Formation& formation(int senders);
  /// The communicator of this rank's lane, where it leads one, for the MPI library's own collectives.  Collective over
  /// all ranks at the first call for so many senders.  MPI_COMM_NULL where this rank leads none; throws MpiError.
  MPI_Comm lane_communicator(MPI_Comm all, int senders);
  bool has_lanes(int senders) const { return communicators_.contains(senders); }
  /// Of the choice's algorithm between nodes, for pieces of so many bytes.  Choices live as long as the communicator.
  const Parameters& parameters(const Choice& choice, std::int64_t bytes) {
    if (&choice != resolved_.choice || bytes != resolved_.bytes)
      resolved_ = {&choice, bytes, parameters_for(choice, bytes)};
    return resolved_.parameters;
  }

 private:
  std::map<int, Formation> formations_;
  std::map<int, MPI_Comm> communicators_;
  std::vector<Rank> leaders_;  ///< of this rank's lane, by node
  Lane led_;                   ///< whose they are; of no senders: nobody's
  struct Resolved {
    const Choice* choice = nullptr;
    std::int64_t bytes = 0;
    Parameters parameters{};
  } resolved_;  ///< the last parameters that were asked for
};

/// Collective over all ranks, which `messages` is among.  Where its calls run in tasks, `all` and `messages` have the
/// same suspension.  Null where it is refused; then `why` is one sentence.
std::unique_ptr<Hierarchy> make_hierarchy(const Mates& all, PrivateComm& messages, std::string& why);

/// Runs the call in each node and between them, as that choice says.  Every rank of the communicator makes the same
/// calls in the same order.  Returns an MPI error code; never throws.
int execute_on_nodes(const Operation& call, Hierarchy& hierarchy, const Choice& choice) noexcept;

}  // namespace tutti::runtime

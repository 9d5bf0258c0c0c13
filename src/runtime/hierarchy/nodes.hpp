#pragma once
/// Which ranks of a communicator share a node, and how a node's ranks form crews.
///
/// Nodes are numbered by their first ranks, members of a node by rank.  With k senders the members of each node are cut
/// into k crews, each of consecutive members.  Crews of one number are a *lane*: their leaders carry out one collective
/// between the nodes, and the lanes do so side by side.
#include <cstdint>
#include <span>
#include <vector>

#include "core/block.hpp"

namespace tutti::runtime {

class Nodes {
 public:
  /// By the node of each rank, as any numbers that differ where nodes do.
  explicit Nodes(std::span<const std::uint64_t> node_of_rank);

  int ranks() const { return static_cast<int>(node_of_.size()); }
  int count() const { return static_cast<int>(members_.size()); }
  /// The node's ranks, ascending.
  std::span<const Rank> members(int node) const { return members_[static_cast<std::size_t>(node)]; }
  int size(int node) const { return static_cast<int>(members(node).size()); }
  int node_of(Rank rank) const { return node_of_[static_cast<std::size_t>(rank)]; }
  int member_of(Rank rank) const { return member_of_[static_cast<std::size_t>(rank)]; }
  Rank rank_of(int node, int member) const { return members(node)[static_cast<std::size_t>(member)]; }
  /// The node of each rank.
  const int* map() const { return node_of_.data(); }
  /// All nodes have as many ranks.
  bool equal() const { return equal_; }
  /// Ranks of the node that has most.
  int largest() const { return largest_; }

 private:
  std::vector<std::vector<Rank>> members_;
  std::vector<int> node_of_, member_of_;
  bool equal_ = true;
  int largest_ = 0;
};

/// All ranks in the order of lanes: the crews of number 0 node by node, then those of number 1, and so on.  Of one
/// sender: node by node.
class Formation {
 public:
  Formation(const Nodes& nodes, int senders);

  const Nodes& nodes() const { return nodes_; }
  int senders() const { return senders_; }
  /// Crew `crew` of the node has members [first, first of the next).
  int first_member(int node, int crew) const {
    return static_cast<int>(static_cast<std::int64_t>(crew) * nodes_.size(node) / senders_);
  }
  int crew_size(int node, int crew) const { return first_member(node, crew + 1) - first_member(node, crew); }
  int crew_of(int node, int member) const;
  /// The position at which that crew begins; crew `senders` of node 0 is the end of all.
  int begin(int crew, int node) const {
    return begins_[static_cast<std::size_t>(crew) * static_cast<std::size_t>(nodes_.count()) +
                   static_cast<std::size_t>(node)];
  }
  int begin(int crew) const { return begin(crew, 0); }
  Rank rank_at(int position) const { return ranks_[static_cast<std::size_t>(position)]; }
  /// Positions are ranks.
  bool natural() const { return natural_; }

 private:
  const Nodes& nodes_;
  int senders_;
  std::vector<Rank> ranks_;
  std::vector<int> begins_;
  bool natural_ = true;
};

}  // namespace tutti::runtime

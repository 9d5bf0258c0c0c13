#include "analysis/critical_path.hpp"

#include <algorithm>
#include <stdexcept>

namespace tutti {
namespace {

/// The steps of all ranks, and who waits for whom; a message's two ends are one node.
class Paths {
 public:
  Paths(const std::vector<BoundProgram>& ranks, int ports, const Arrival& arrival, int per_node)
      : ranks_(ranks), ports_(static_cast<std::size_t>(ports)), arrival_(arrival), per_node_(per_node) {
    for (const BoundProgram& rank : ranks) {
      first_.push_back(nodes_.size());
      nodes_.resize(nodes_.size() + rank.steps.size());
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) link(rank);
  }

  void walk() {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].open == 0) free.push_back(i);
    while (!free.empty()) {
      const std::size_t i = free.back();
      free.pop_back();
      finish(i, free);
    }
    if (finished_ < nodes_.size())
      throw std::logic_error("the schedules wait for each other where a rank sends one message at a time");
  }

 private:
  struct Node {
    Rank rank = 0;
    int step = 0;
    std::vector<std::size_t> later;  ///< nodes that wait for this one
    int open = 0;                    ///< nodes that this one still waits for; -1: finished
    Cost at;                         ///< when it may begin
  };

  void link(std::size_t rank) {
    std::vector<std::size_t> turns[3];  // at the send ports, the receive ports, the processor
    for (std::size_t i = 0; i < ranks_[rank].steps.size(); ++i) {
      const Step& step = ranks_[rank].steps[i];
      const std::size_t me = first_[rank] + i;
      nodes_[me].rank = static_cast<Rank>(rank), nodes_[me].step = static_cast<int>(i);
      for (int earlier : ranks_[rank].bound[i].after) wait(me, first_[rank] + static_cast<std::size_t>(earlier));
      if (std::holds_alternative<Send>(step)) take_turn(me, turns[0], ports_);
      if (received(step) != nullptr) take_turn(me, turns[1], ports_);
      if (std::holds_alternative<Reduce>(step)) take_turn(me, turns[2], 1);
    }
  }

  void take_turn(std::size_t me, std::vector<std::size_t>& turns, std::size_t ports) {
    if (turns.size() >= ports) wait(me, turns[turns.size() - ports]);
    turns.push_back(me);
  }

  void wait(std::size_t later, std::size_t earlier) {
    nodes_[earlier].later.push_back(later);
    ++nodes_[later].open;
  }

  const MatchedStep& bound(const Node& node) const {
    return ranks_[static_cast<std::size_t>(node.rank)].bound[static_cast<std::size_t>(node.step)];
  }
  const Step& step(const Node& node) const {
    return ranks_[static_cast<std::size_t>(node.rank)].steps[static_cast<std::size_t>(node.step)];
  }

  void finish(std::size_t i, std::vector<std::size_t>& free) {
    Node* node = &nodes_[i];
    const MatchedStep& here = bound(*node);
    if (here.peer < 0) {
      Cost end = node->at;
      if (std::holds_alternative<Reduce>(step(*node))) end.reduced += here.length;
      arrival_(node->rank, node->step, {node->at, end});
      return release(*node, end, free);
    }
    Node* other = &nodes_[first_[static_cast<std::size_t>(here.peer)] + static_cast<std::size_t>(here.match)];
    if (other->open != 0) return;  // the other end will finish both
    if (received(step(*node)) != nullptr) std::swap(node, other);
    const Cost begin = later_of(node->at, other->at);
    Cost sent = begin, came = begin;
    came.rounds = sent.rounds += 1, came.moved = sent.moved += here.length;
    const bool leaves = node->rank / per_node_ != other->rank / per_node_;
    sent.messages = node->at.messages, came.messages = std::max(other->at.messages, node->at.messages + leaves);
    arrival_(node->rank, node->step, {begin, came});
    release(*other, came, free);
    release(*node, sent, free);
  }

  void release(Node& node, const Cost& end, std::vector<std::size_t>& free) {
    ++finished_;
    node.open = -1;
    for (std::size_t later : node.later) {
      nodes_[later].at = later_of(nodes_[later].at, end);
      if (--nodes_[later].open == 0) free.push_back(later);
    }
  }

  const std::vector<BoundProgram>& ranks_;
  std::size_t ports_;
  const Arrival& arrival_;
  int per_node_;
  std::vector<std::size_t> first_;  ///< node of each rank's first step
  std::vector<Node> nodes_;
  std::size_t finished_ = 0;
};

}  // namespace

Cost later_of(const Cost& a, const Cost& b) {
  return {std::max(a.rounds, b.rounds), std::max(a.moved, b.moved), std::max(a.reduced, b.reduced),
          std::max(a.messages, b.messages)};
}

void walk(const std::vector<BoundProgram>& ranks, int ports, const Arrival& arrival, int per_node) {
  Paths(ranks, ports, arrival, per_node).walk();
}

}  // namespace tutti

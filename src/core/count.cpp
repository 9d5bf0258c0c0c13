#include "core/count.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "core/ensemble.hpp"

namespace tutti {
namespace {

/// Longest paths through the steps of all ranks; a message's two ends are one node.
class Paths {
 public:
  explicit Paths(const std::vector<BoundProgram>& ranks) : ranks_(ranks) {
    for (const BoundProgram& rank : ranks) {
      first_.push_back(nodes_.size());
      nodes_.resize(nodes_.size() + rank.steps.size());
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) link(rank);
  }

  Cost longest() {
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
    return cost_;
  }

 private:
  struct Node {
    const Step* step = nullptr;
    const BoundStep* bound = nullptr;
    std::size_t match = 0;           ///< a message's other end
    std::vector<std::size_t> later;  ///< nodes that wait for this one
    int open = 0;                    ///< nodes that this one still waits for
    Cost at;                         ///< when it may begin; `messages` is not used
  };

  /// A step waits for the steps it conflicts with, and for its turn at the port, or at the processor, that it uses.
  void link(std::size_t rank) {
    std::size_t last[3] = {npos, npos, npos};  // send port, receive port, processor
    for (std::size_t i = 0; i < ranks_[rank].steps.size(); ++i) {
      const Step& step = ranks_[rank].steps[i];
      const BoundStep& bound = ranks_[rank].bound[i];
      const std::size_t me = first_[rank] + i;
      Node& node = nodes_[me];
      node.step = &step, node.bound = &bound;
      if (bound.peer >= 0)
        node.match = first_[static_cast<std::size_t>(bound.peer)] + static_cast<std::size_t>(bound.match);
      for (int earlier : bound.after) wait(me, first_[rank] + static_cast<std::size_t>(earlier));
      const int resource = std::holds_alternative<Send>(step)      ? 0
                           : std::holds_alternative<Receive>(step) ? 1
                           : std::holds_alternative<Reduce>(step)  ? 2
                                                                   : -1;
      if (resource < 0) continue;
      if (last[resource] != npos) wait(me, last[resource]);
      last[resource] = me;
    }
  }

  void wait(std::size_t later, std::size_t earlier) {
    nodes_[earlier].later.push_back(later);
    ++nodes_[later].open;
  }

  void finish(std::size_t i, std::vector<std::size_t>& free) {
    Node& node = nodes_[i];
    if (node.bound->peer >= 0) {
      Node& other = nodes_[node.match];
      if (other.open != 0) return;  // the other end will finish both
      raise(node.at, other.at);
      node.at.rounds += 1;
      node.at.moved += node.bound->length;
      other.at = node.at;
      ++cost_.messages;
      other.open = -1;
      release(other, free);
    } else if (std::holds_alternative<Reduce>(*node.step)) {
      node.at.reduced += node.bound->length;
    }
    node.open = -1;
    release(node, free);
  }

  void release(Node& node, std::vector<std::size_t>& free) {
    ++finished_;
    raise(cost_, node.at);
    for (std::size_t later : node.later) {
      raise(nodes_[later].at, node.at);
      if (--nodes_[later].open == 0) free.push_back(later);
    }
  }

  static void raise(Cost& cost, const Cost& to) {
    cost.rounds = std::max(cost.rounds, to.rounds);
    cost.moved = std::max(cost.moved, to.moved);
    cost.reduced = std::max(cost.reduced, to.reduced);
  }

  static constexpr auto npos = static_cast<std::size_t>(-1);
  const std::vector<BoundProgram>& ranks_;
  std::vector<std::size_t> first_;  ///< node of each rank's first step
  std::vector<Node> nodes_;
  std::size_t finished_ = 0;
  Cost cost_;
};

}  // namespace

Cost count(const Problem& problem, const std::function<Schedule(Context)>& schedule) {
  try {
    const std::vector<BoundProgram> ranks = bind(problem, schedule);
    return Paths(ranks).longest();
  } catch (const Refuted& refuted) {
    throw std::logic_error(to_text(refuted.fault));
  }
}

}  // namespace tutti

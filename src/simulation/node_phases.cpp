#include "simulation/node_phases.hpp"

#include <algorithm>

#include "core/contract.hpp"

namespace tutti::simulation {
namespace {

class Node {
 public:
  Node(const NodeCall& call, const Costs& costs) : call_(call), costs_(costs), ranks_(call.per_node) {}

  Time meet() const { return ranks_ == 1 ? 0 : costs_.within.latency + (ranks_ - 1) * costs_.within.receive; }
  /// Each of `ranks` copies that many bytes.
  Time copy(std::int64_t bytes, int ranks) const { return limited(costs_.copy_per_byte, bytes, ranks); }
  Time combine(std::int64_t bytes, int ranks) const { return limited(costs_.reduce_per_byte, bytes, ranks); }

  Time reduce(std::int64_t bytes) const {
    if (ranks_ == 1) return 0;
    const std::int64_t others = ranks_ - 1, k = call_.senders;
    const Time by_leaders = meet() + combine(others * ((bytes + k - 1) / k), static_cast<int>(k));
    const std::int64_t share = (bytes + ranks_ - 1) / ranks_;
    const Time by_all = 2 * meet() + combine(others * share, ranks_) + copy((bytes + k - 1) / k, static_cast<int>(k));
    return std::min(by_leaders, by_all);
  }
  /// A vector from its owners to everybody.
  Time share(std::int64_t bytes) const { return ranks_ == 1 ? 0 : meet() + copy(bytes, ranks_); }

 private:
  Time limited(double per_byte, std::int64_t bytes, int ranks) const {
    const Time alone = LinkCosts::scaled(per_byte, bytes);
    return std::max(alone, LinkCosts::scaled(costs_.memory_per_byte, bytes * ranks));
  }

  const NodeCall& call_;
  const Costs& costs_;
  int ranks_;
};

/// Collectives on blocks.
NodePhases phases_of_blocks(const NodeCall& call, const Node& node) {
  const int k = call.senders, n = call.per_node;
  const std::int64_t crew = (n + k - 1) / k * call.bytes, row = std::int64_t{call.nodes} * n * call.bytes;
  const Time collect = n == k ? 0 : node.meet() + node.copy(crew, k),
             hand_out = n == k ? 0 : node.meet() + node.copy(call.bytes, n);
  const Time at_root = k == 1 ? 0 : node.meet() + node.copy(row / k * (k - 1), 1);
  switch (call.collective) {
    case Collective::gather:
    case Collective::gatherv:
      return {collect, 0, collect, at_root};
    case Collective::scatter:
    case Collective::scatterv:
      return {0, hand_out, at_root, hand_out};
    case Collective::allgather:
    case Collective::allgatherv:
      return {collect, node.share(row), 0, 0};
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return {node.reduce(row), hand_out, 0, 0};
    default: {  // all to all: rows to the leaders, sorted by node; then sorted by rank
      const Time sort = node.copy(std::int64_t{(n + k - 1) / k} * row, k), write = node.copy(row, n);
      return {node.meet() + write + sort, node.meet() + sort + write, 0, 0};
    }
  }
}

}  // namespace

NodePhases node_phases(const NodeCall& call, const Costs& costs) {
  const Node node(call, costs);
  switch (call.collective) {
    case Collective::barrier:
      return {node.meet(), node.meet(), 0, 0};
    case Collective::bcast: {
      const Time all = node.share(call.bytes);
      return call.senders == 1 ? NodePhases{0, all, 0, all} : NodePhases{0, all, all, 0};
    }
    case Collective::reduce: {
      const Time all = node.reduce(call.bytes), slices = call.senders == 1 ? 0 : node.meet() + node.copy(call.bytes, 1);
      return {all, 0, all, slices};
    }
    case Collective::allreduce:
      return {node.reduce(call.bytes), node.share(call.bytes), 0, 0};
    case Collective::scan:
    case Collective::exscan: {
      const Time own = node.meet() + node.combine(call.per_node * call.bytes, 1);
      return {node.reduce(call.bytes), node.share(call.bytes) + own, 0, 0};
    }
    default:
      return phases_of_blocks(call, node);
  }
}

}  // namespace tutti::simulation

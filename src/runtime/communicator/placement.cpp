#include <algorithm>
#include <vector>

#include "runtime/platform/location.hpp"

namespace tutti::runtime {

Placement placement_of(std::span<const std::uint64_t> nodes) {
  std::vector<std::uint64_t> sorted(nodes.begin(), nodes.end());
  std::sort(sorted.begin(), sorted.end());
  Placement placement;
  placement.ranks = static_cast<int>(sorted.size());
  placement.nodes = 0, placement.most_per_node = 0, placement.least_per_node = placement.ranks;
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto end = std::upper_bound(begin, sorted.end(), *begin);
    const int here = static_cast<int>(end - begin);
    ++placement.nodes;
    placement.most_per_node = std::max(placement.most_per_node, here);
    placement.least_per_node = std::min(placement.least_per_node, here);
    begin = end;
  }
  int intervals = 1;
  for (std::size_t rank = 1; rank < nodes.size(); ++rank) intervals += nodes[rank] != nodes[rank - 1] ? 1 : 0;
  placement.consecutive = intervals <= placement.nodes;
  return placement;
}

Placement on_one_node(int ranks, std::int64_t cpus) {
  Placement placement{ranks, 1, ranks, ranks};
  placement.shares_cpus = ranks > cpus;
  return placement;
}

}  // namespace tutti::runtime

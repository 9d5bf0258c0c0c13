#include "runtime/hierarchy/nodes.hpp"

#include <algorithm>
#include <map>

namespace tutti::runtime {

Nodes::Nodes(std::span<const std::uint64_t> node_of_rank) {
  std::map<std::uint64_t, int> numbers;
  for (const std::uint64_t identity : node_of_rank) {
    const auto [found, fresh] = numbers.try_emplace(identity, count());
    if (fresh) members_.emplace_back();
    std::vector<Rank>& here = members_[static_cast<std::size_t>(found->second)];
    member_of_.push_back(static_cast<int>(here.size()));
    here.push_back(ranks());
    node_of_.push_back(found->second);
  }
  for (int node = 0; node < count(); ++node) {
    equal_ &= size(node) == size(0);
    largest_ = std::max(largest_, size(node));
  }
}

Formation::Formation(const Nodes& nodes, int senders) : nodes_(nodes), senders_(senders) {
  ranks_.reserve(static_cast<std::size_t>(nodes.ranks()));
  for (int crew = 0; crew < senders; ++crew)
    for (int node = 0; node < nodes.count(); ++node) {
      begins_.push_back(static_cast<int>(ranks_.size()));
      for (int member = first_member(node, crew); member < first_member(node, crew + 1); ++member) {
        natural_ &= nodes.rank_of(node, member) == static_cast<int>(ranks_.size());
        ranks_.push_back(nodes.rank_of(node, member));
      }
    }
  begins_.push_back(static_cast<int>(ranks_.size()));
}

int Formation::crew_of(int node, int member) const {
  int crew = static_cast<int>(static_cast<std::int64_t>(member) * senders_ / nodes_.size(node));
  while (member >= first_member(node, crew + 1)) ++crew;
  return crew;
}

}  // namespace tutti::runtime

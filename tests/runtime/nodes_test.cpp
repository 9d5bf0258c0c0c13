#include "runtime/hierarchy/nodes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace tutti;
using namespace tutti::runtime;

namespace {

std::vector<Rank> order(const Formation& formation) {
  std::vector<Rank> ranks;
  for (int position = 0; position < formation.nodes().ranks(); ++position) ranks.push_back(formation.rank_at(position));
  return ranks;
}

}  // namespace

TEST_CASE("nodes are numbered by their first ranks, members by rank") {
  const std::vector<std::uint64_t> names{7, 3, 7, 9, 3, 7};
  const Nodes nodes(names);
  CHECK(nodes.count() == 3);
  CHECK(nodes.ranks() == 6);
  CHECK(std::ranges::equal(nodes.members(0), std::vector<Rank>{0, 2, 5}));
  CHECK(std::ranges::equal(nodes.members(1), std::vector<Rank>{1, 4}));
  CHECK(nodes.node_of(3) == 2);
  CHECK(nodes.member_of(5) == 2);
  CHECK(nodes.rank_of(1, 1) == 4);
  CHECK_FALSE(nodes.equal());
}

TEST_CASE("with one sender the order of lanes is node by node") {
  const std::vector<std::uint64_t> blocks{1, 1, 2, 2}, cyclic{1, 2, 1, 2};
  const Nodes in_blocks(blocks), in_turn(cyclic);
  CHECK(in_blocks.equal());
  CHECK(Formation(in_blocks, 1).natural());
  CHECK(order(Formation(in_turn, 1)) == std::vector<Rank>{0, 2, 1, 3});
  CHECK_FALSE(Formation(in_turn, 1).natural());
  CHECK(Formation(in_turn, 2).natural());  // cyclic ranks are in the order of two lanes
}

TEST_CASE("crews cover each node's members, and every lane has a crew of each node") {
  std::vector<std::uint64_t> names;
  for (const int size : {5, 2, 3}) names.insert(names.end(), static_cast<std::size_t>(size), names.size() + 100);
  const Nodes nodes(names);
  for (int senders = 1; senders <= 2; ++senders) {
    const Formation formation(nodes, senders);
    std::vector<Rank> sorted = order(formation);
    std::ranges::sort(sorted);
    for (Rank rank = 0; rank < nodes.ranks(); ++rank) CHECK(sorted[static_cast<std::size_t>(rank)] == rank);
    for (int node = 0; node < nodes.count(); ++node) {
      CHECK(formation.first_member(node, 0) == 0);
      CHECK(formation.first_member(node, senders) == nodes.size(node));
      for (int member = 0; member < nodes.size(node); ++member) {
        const int crew = formation.crew_of(node, member);
        CHECK(formation.first_member(node, crew) <= member);
        CHECK(member < formation.first_member(node, crew + 1));
        const int position = formation.begin(crew, node) + member - formation.first_member(node, crew);
        CHECK(formation.rank_at(position) == nodes.rank_of(node, member));
      }
      for (int crew = 0; crew < senders; ++crew) CHECK(formation.crew_size(node, crew) >= 1);
    }
    CHECK(formation.begin(senders) == nodes.ranks());
  }
}

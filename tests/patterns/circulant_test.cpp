#include "patterns/circulant.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

using namespace tutti;

namespace {

using Table = CirculantGraph::Table;

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

static_assert(CirculantGraph(17).rounds() == 5);
static_assert(CirculantGraph(17).skip(0) == 1 && CirculantGraph(17).skip(1) == 2 && CirculantGraph(17).skip(2) == 3 &&
              CirculantGraph(17).skip(3) == 5 && CirculantGraph(17).skip(4) == 9 && CirculantGraph(17).skip(5) == 17);

/// The published table of first entries.
constexpr bool agrees_with_the_paper() {
  constexpr int first[17] = {-4, 0, -5, -4, -3, -5, -2, -5, -4, -3, -1, -5, -4, -3, -5, -2, -5};
  const CirculantGraph graph(17);
  for (int v = 0; v < 17; ++v)
    if (graph.receives(v)[0] != first[v]) return false;
  return true;
}
static_assert(agrees_with_the_paper());

/// Rank 0 sends the blocks 0, 1, …, q-1 in the first q rounds.
constexpr bool root_sends_in_order(int size) {
  const CirculantGraph graph(size);
  const Table sends = graph.sends(0);
  for (int k = 0; k < graph.rounds(); ++k)
    if (sends[at(k)] != k) return false;
  return true;
}
static_assert(root_sends_in_order(2) && root_sends_in_order(9) && root_sends_in_order(33) && root_sends_in_order(64));

/// Every phase brings v one block of each of the q phases that overlap it: -1 … -q, of which one is its base block.
bool receives_each_once(const CirculantGraph& graph, Rank v) {
  const int q = graph.rounds(), base = graph.base_block(v);
  std::set<int> expected{base};
  for (int entry = 1; entry <= q; ++entry)
    if (-entry != base - q) expected.insert(-entry);
  const Table table = graph.receives(v);
  return std::set<int>(table.begin(), table.begin() + q) == expected;
}

/// v sends what it has: its base block of the phase before, or what it received earlier in this one.
bool sends_what_it_has(const CirculantGraph& graph, Rank v) {
  const Table sends = graph.sends(v), receives = graph.receives(v);
  for (int k = 0; k < graph.rounds(); ++k) {
    const bool older = sends[at(k)] == graph.base_block(v) - graph.rounds();
    if (!older && std::find(receives.begin(), receives.begin() + k, sends[at(k)]) == receives.begin() + k) return false;
  }
  return true;
}

std::vector<int> contradictory(int most, bool strictly_decreasing) {
  std::vector<int> sizes;
  for (int size = 2; size <= most; ++size) {
    const CirculantGraph graph(size, strictly_decreasing);
    bool right = true;
    for (Rank v = 1; v < size && right; ++v) right = receives_each_once(graph, v) && sends_what_it_has(graph, v);
    if (!right) sizes.push_back(size);
  }
  return sizes;
}

}  // namespace

TEST_CASE("circulant tables agree with each other, for all p to 400 and some beyond") {
  CHECK(contradictory(400, true).empty());
  for (int size : {1000, 1025, 2047, 4097}) {
    const CirculantGraph graph(size);
    for (Rank v = 1; v < size; v += 7) CHECK((receives_each_once(graph, v) && sends_what_it_has(graph, v)));
  }
}

TEST_CASE("without strictly decreasing sums they contradict each other from p = 33 on") {
  const std::vector<int> sizes = contradictory(70, false);
  CHECK(sizes == std::vector<int>{33, 65, 66, 67, 69});
}

TEST_CASE("every rank but the root receives every block exactly once, in n - 1 + q rounds") {
  for (int size = 2; size <= 40; ++size) {
    const CirculantGraph graph(size);
    for (int blocks : {1, 2, 3, 7, 20}) {
      const CirculantRounds rounds(graph, blocks);
      CHECK(rounds.count() == blocks - 1 + graph.rounds());
      for (Rank v = 1; v < size; ++v) {
        const Table table = graph.receives(v);
        std::multiset<int> received;
        for (int i = 0; i < rounds.count(); ++i)
          if (const int block = rounds.block(table, i); block >= 0) received.insert(block);
        std::multiset<int> expected;
        for (int block = 0; block < blocks; ++block) expected.insert(block);
        CHECK(received == expected);
      }
    }
  }
}

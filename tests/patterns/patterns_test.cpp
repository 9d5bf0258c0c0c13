#include <doctest/doctest.h>

#include "patterns/aggregated_trees.hpp"
#include "patterns/binomial.hpp"
#include "patterns/fold.hpp"
#include "patterns/groups.hpp"
#include "patterns/halving.hpp"
#include "patterns/power.hpp"
#include "patterns/ring.hpp"
#include "patterns/swing.hpp"

using namespace tutti;

namespace {

static_assert(floor_log2(1) == 0 && floor_log2(7) == 2 && floor_log2(8) == 3);
static_assert(ceil_log2(1) == 0 && ceil_log2(7) == 3 && ceil_log2(8) == 3 && ceil_log2(9) == 4);
static_assert(floor_power(26, 3) == 9 && floor_power(27, 3) == 27 && floor_power(2, 3) == 1);
static_assert(floor_power(9) == 8 && ceil_power(9) == 16 && ceil_power(8) == 8 && ceil_power(1) == 1);

constexpr bool ring_wraps(int size) {
  const Ring ring{size};
  for (Rank me = 0; me < size; ++me) {
    if (ring.previous(ring.next(me)) != me) return false;
    for (int steps = 0; steps <= size; ++steps)
      if (ring.behind(ring.ahead(me, steps), steps) != me || ring.ahead(me, steps) != (me + steps) % size) return false;
  }
  return true;
}
static_assert(ring_wraps(1) && ring_wraps(2) && ring_wraps(7));

/// Every rank but 0 is a child at exactly one distance, of its parent, whose subtree holds that of the child.
constexpr bool binomial_is_a_tree(int size) {
  const BinomialTree tree{size};
  for (int v = 1; v < size; ++v) {
    int times = 0;
    for (int distance = tree.furthest(); distance > 0; distance /= 2) {
      if (!tree.child_at(v, distance)) continue;
      ++times;
      const int parent = v - distance;
      if (parent != tree.parent(v) || !tree.parent_at(parent, distance)) return false;
      if (v + tree.subtree(v) > parent + tree.subtree(parent)) return false;
    }
    if (times != 1) return false;
  }
  return tree.subtree(0) == size;
}
constexpr bool binomial_trees(int most) {
  for (int size = 1; size <= most; ++size)
    if (!binomial_is_a_tree(size)) return false;
  return true;
}
static_assert(binomial_trees(70));
static_assert(BinomialTree{6}.subtree(4) == 2 && BinomialTree{8}.subtree(4) == 4);

/// Carriers are numbered in rank order, and each is the last of its group, which is a run of at most k ranks.
constexpr bool fold_is_sound(const Fold& fold) {
  Rank first = 0;
  for (int number = 0; number < fold.size(); ++number) {
    const Rank carrier = fold.unfolded(number);
    if (fold.first(number) != first || carrier < first || carrier - first >= fold.radix) return false;
    for (Rank rank = first; rank <= carrier; ++rank)
      if (fold.folded(rank) != number || fold.carrier_of(rank) != carrier || fold.idle(rank) != (rank < carrier))
        return false;
    first = carrier + 1;
  }
  return first == fold.ranks && fold.first(fold.size()) == fold.ranks;
}
constexpr bool folds(int most) {
  for (int ranks = 1; ranks <= most; ++ranks) {
    if (!fold_is_sound({ranks}) || !fold_is_sound(Fold::to_even(ranks))) return false;
    for (int radix = 2; radix <= 7; ++radix)
      if (!fold_is_sound(Fold::to_power_of(radix, ranks))) return false;
  }
  return true;
}
static_assert(folds(40));
static_assert(Fold{70}.size() == 64 && Fold::to_even(7).size() == 6 && Fold::to_power_of(3, 26).size() == 9);

/// Peers split the window they share, and each ends with one part.
constexpr bool halving_splits(const Halving& halving) {
  std::vector<int> ends(static_cast<std::size_t>(halving.size));
  for (int u = 0; u < halving.size; ++u) {
    for (int round = 0; round < halving.rounds(); ++round) {
      const int peer = halving.peer(u, round);
      const auto both = halving.window(u, round), mine = halving.window(u, round + 1);
      const auto other = halving.window(peer, round + 1);
      if (halving.peer(peer, round) != u || both != halving.window(peer, round)) return false;
      if (mine.count + other.count != both.count || mine.first == other.first) return false;
      if (mine.first < both.first || mine.first + mine.count > both.first + both.count) return false;
    }
    if (halving.window(u, halving.rounds()) != Halving::Window{halving.part(u), 1}) return false;
    ++ends[static_cast<std::size_t>(halving.part(u))];
  }
  return std::all_of(ends.begin(), ends.end(), [](int ranks) { return ranks == 1; });
}
static_assert(halving_splits({1}) && halving_splits({2}) && halving_splits({8}) && halving_splits({32}));
static_assert(halving_splits({1, true}) && halving_splits({2, true}) && halving_splits({8, true}) &&
              halving_splits({32, true}));
static_assert(Halving{8}.window(6, 3).first == 3);  // 110 reversed is 011

/// Groups are runs, one after the other, that differ in size by one at most.
constexpr bool groups_are_runs(int ranks, int most) {
  const Groups groups = Groups::of_at_most(most, ranks);
  for (int group = 0; group < groups.count; ++group) {
    if (groups.size(group) > most || groups.size(group) < groups.size(0) - 1) return false;
    if (groups.first(group) + groups.size(group) != groups.first(group + 1)) return false;
    for (int i = 0; i < groups.size(group); ++i)
      if (groups.of(groups.first(group) + i) != group) return false;
  }
  return groups.first(groups.count) == ranks;
}
static_assert(groups_are_runs(1, 4) && groups_are_runs(12, 4) && groups_are_runs(13, 4) && groups_are_runs(7, 1));

/// Every offset is reached once, from one that has been reached in an earlier hop.
constexpr bool trees_are_sound(int size, int aggregation) {
  const AggregatedTrees trees{size, aggregation};
  std::vector<int> reached{0};
  for (auto hop = trees.begin(); !trees.ended(hop); hop = trees.next(hop)) {
    const std::vector<int> before = reached;
    for (int offset = hop.first; offset < size; offset += hop.stride) {
      const auto has = [&](int i) { return std::find(before.begin(), before.end(), i) != before.end(); };
      if (has(offset) || !has(offset - hop.distance)) return false;
      reached.push_back(offset);
    }
    if (static_cast<int>(reached.size() - before.size()) > std::max(aggregation, 1)) return false;
  }
  return static_cast<int>(reached.size()) == size;
}
constexpr bool trees_are_sound(int size) {
  for (int aggregation = 1; aggregation <= 32; aggregation *= 2)
    if (!trees_are_sound(size, aggregation)) return false;
  return true;
}
static_assert(trees_are_sound(1) && trees_are_sound(2) && trees_are_sound(13) && trees_are_sound(16));

/// Peers are peers of each other, and a block reaches every rank over one distance, from one that has it.
constexpr bool swing_is_sound(int size) {
  const Swing swing{size};
  const SwingTree tree(swing);
  for (Rank owner : {0, size / 2, size - 1}) {
    std::vector<bool> has(static_cast<std::size_t>(size));
    has[static_cast<std::size_t>(owner)] = true;
    for (int s = swing.rounds() - 1; s >= 0; --s) {
      const std::vector<bool> before = has;
      for (Rank rank = 0; rank < size; ++rank) {
        const Rank peer = swing.peer(rank, s);
        if (swing.peer(peer, s) != rank || (rank - peer) % 2 == 0) return false;
        if (!tree.reaches(owner, rank, s)) continue;
        if (before[static_cast<std::size_t>(rank)] || !before[static_cast<std::size_t>(peer)]) return false;
        has[static_cast<std::size_t>(rank)] = true;
      }
    }
    for (const bool reached : has)
      if (!reached) return false;
  }
  return true;
}
static_assert(swing_is_sound(2) && swing_is_sound(6) && swing_is_sound(16) && swing_is_sound(26));
static_assert(Swing::rho(0) == 1 && Swing::rho(1) == -1 && Swing::rho(2) == 3 && Swing::rho(3) == -5);

}  // namespace

TEST_CASE("every block reaches every rank once along swinging trees, for all even p") {
  for (int size = 2; size <= 160; size += 2) CHECK(swing_is_sound(size));
}

TEST_CASE("rank arithmetic is proven at compile time") { CHECK(true); }

#include <doctest/doctest.h>

#include "patterns/binomial.hpp"
#include "patterns/fold.hpp"
#include "patterns/halving.hpp"
#include "patterns/power.hpp"
#include "patterns/ring.hpp"

using namespace tutti;

namespace {

static_assert(floor_log2(1) == 0 && floor_log2(7) == 2 && floor_log2(8) == 3);
static_assert(ceil_log2(1) == 0 && ceil_log2(7) == 3 && ceil_log2(8) == 3 && ceil_log2(9) == 4);
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

/// Ranks that are not idle are numbered 0..P-1 in rank order; every idle one has a carrier next to it.
constexpr bool fold_is_sound(int ranks) {
  const Fold fold{ranks};
  int next = 0;
  for (Rank rank = 0; rank < ranks; ++rank) {
    if (fold.idle(rank)) {
      if (fold.partner(rank) != rank + 1 || !fold.carrier(rank + 1)) return false;
      continue;
    }
    if (fold.folded(rank) != next || fold.unfolded(next) != rank) return false;
    ++next;
  }
  return next == fold.size();
}
constexpr bool folds(int most) {
  for (int ranks = 1; ranks <= most; ++ranks)
    if (!fold_is_sound(ranks)) return false;
  return true;
}
static_assert(folds(70));

/// Neighbours split the window they share, and each ends with one part.
constexpr bool halving_splits(int size) {
  const Halving halving{size};
  for (int u = 0; u < size; ++u) {
    for (int round = 0; (1 << round) < size; ++round) {
      const auto both = halving.window(u, round), mine = halving.window(u, round + 1);
      const auto other = halving.window(u ^ (1 << round), round + 1);
      if (both != halving.window(u ^ (1 << round), round)) return false;
      if (mine.count + other.count != both.count || mine.first == other.first) return false;
      if (mine.first < both.first || mine.first + mine.count > both.first + both.count) return false;
    }
    if (halving.window(u, floor_log2(size)).count != 1) return false;
  }
  return true;
}
static_assert(halving_splits(1) && halving_splits(2) && halving_splits(8) && halving_splits(32));
static_assert(Halving{8}.window(6, 3).first == 3);  // 110 reversed is 011

}  // namespace

TEST_CASE("rank arithmetic is proven at compile time") { CHECK(true); }

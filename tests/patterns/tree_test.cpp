#include "patterns/tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "patterns/k_nomial.hpp"
#include "patterns/power.hpp"
#include "patterns/two_tree.hpp"

using namespace tutti;

namespace {

/// Every rank but the root is exactly one rank's child, that of its parent; and all are below the root.
template <class Tree>
constexpr bool is_a_tree(const Tree& tree, int size, Rank root) {
  int edges = 0;
  for (Rank v = 0; v < size; ++v) {
    const TreePlace place = tree.place(v);
    if ((place.parent < 0) != (v == root)) return false;
    edges += static_cast<int>(place.children.size());
    for (const Rank child : place.children)
      if (tree.place(child).parent != v) return false;
    int steps = 0;
    for (Rank up = v; up != root; up = tree.place(up).parent)
      if (++steps >= size) return false;
  }
  return edges == size - 1;
}

template <class Tree>
constexpr bool trees_to(int most) {
  for (int size = 1; size <= most; ++size)
    if (!is_a_tree(Tree{size}, size, 0)) return false;
  return true;
}
static_assert(trees_to<Chain>(20) && trees_to<BinaryTree>(40) && trees_to<KnomialTree>(40));

constexpr bool k_nomial_trees(int most) {
  for (int radix = 3; radix <= 8; ++radix)
    for (int size = 1; size <= most; ++size)
      if (!is_a_tree(KnomialTree{size, radix}, size, 0)) return false;
  return true;
}
static_assert(k_nomial_trees(30));

constexpr bool flat_trees(int most) {
  for (int size = 1; size <= most; ++size)
    for (Rank root = 0; root < size; ++root)
      if (!is_a_tree(FlatTree{size, root}, size, root)) return false;
  return true;
}
static_assert(flat_trees(9));
static_assert(FlatTree{5, 2}.place(2).children == std::vector<Rank>{0, 1, 4, 3});

constexpr bool in_order_trees(int most) {
  for (int size = 1; size <= most; ++size)
    if (!is_a_tree(InOrderBinaryTree{size}, size, size - 1)) return false;
  return true;
}
static_assert(in_order_trees(40));

/// Backwards, the operands of v are those of the run of ranks that ends with it: first the child just below v, then the
/// one below that child's run.  Returns the run's first rank, or -1.
constexpr Rank run_of(const InOrderBinaryTree& tree, Rank v) {
  const TreePlace place = tree.place(v);
  Rank first = v;
  for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) {
    if (*child != first - 1) return -1;
    first = run_of(tree, *child);
  }
  return first;
}
constexpr bool in_order_trees_keep_rank_order(int most) {
  for (int size = 1; size <= most; ++size)
    if (run_of(InOrderBinaryTree{size}, size - 1) != 0) return false;
  return true;
}
static_assert(in_order_trees_keep_rank_order(60));

/// The same for k-nomial trees, whose runs begin with their root.
constexpr int end_of_run(const KnomialTree& tree, Rank v) {
  const TreePlace place = tree.place(v);
  int end = v + 1;
  for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) {
    if (*child != end) return -1;
    end = end_of_run(tree, *child);
  }
  return end == v + tree.subtree(v) ? end : -1;
}
constexpr bool k_nomial_subtrees_are_runs(int most) {
  for (int radix = 2; radix <= 6; ++radix)
    for (int size = 1; size <= most; ++size)
      if (end_of_run({size, radix}, 0) != size) return false;
  return true;
}
static_assert(k_nomial_subtrees_are_runs(40));
static_assert(KnomialTree{10, 3}.place(0).children == std::vector<Rank>{9, 6, 3, 2, 1});

/// Below the root, odd ranks are on one side and even ones on the other.
constexpr bool binary_tree_splits(int size) {
  for (Rank v = 1; v < size; ++v) {
    const TreePlace place = BinaryTree{size}.place(v);
    if (place.children.size() > 2) return false;
    if (place.parent > 0 && place.parent % 2 != v % 2) return false;
  }
  return true;
}
static_assert(binary_tree_splits(40));

constexpr bool two_trees_are_trees(int size) {
  const TwoTree trees{size};
  for (Rank v = 0; v < size; ++v) {
    int below[2] = {0, 0};
    for (int tree : {0, 1}) {
      for (const TwoTree::Edge& edge : trees.below(tree, v)) {
        if (!edge) continue;
        ++below[tree];
        if (trees.parent(edge) != v) return false;
      }
      int steps = 0;
      for (Rank up = v; up > 0; up = trees.parent({tree, up}))
        if (++steps > ceil_log2(size)) return false;
    }
    if (v > 0 && below[0] > 0 && below[1] > 0) return false;  // inner in both
    if (v == 0 && size > 1 && (below[0] != 1 || below[1] != 1)) return false;
  }
  return true;
}
constexpr bool two_trees(int most) {
  for (int size = 1; size <= most; ++size)
    if (!two_trees_are_trees(size)) return false;
  return true;
}
static_assert(two_trees(40));

/// Edges that meet work in different steps, each starts after the one above it, and all have begun within 2q steps.
constexpr bool two_tree_times_agree(int size) {
  const TwoTree trees{size};
  const TwoTreeTimes times(trees);
  for (Rank v = 1; v < size; ++v) {
    for (int tree : {0, 1}) {
      const TwoTree::Edge edge{tree, v}, sibling = trees.sibling(edge);
      if (times.start(edge) % 2 != times.colour(edge)) return false;
      if (times.colour(edge) == times.colour(trees.beside(edge))) return false;
      if (sibling && times.colour(edge) == times.colour(sibling)) return false;
      const Rank above = trees.parent(edge);
      if (above > 0 && times.start({tree, above}) >= times.start(edge)) return false;
      if (times.start(edge) >= 2 * ceil_log2(size)) return false;
    }
  }
  return true;
}
static_assert(two_tree_times_agree(2) && two_tree_times_agree(3) && two_tree_times_agree(8) &&
              two_tree_times_agree(21));

}  // namespace

TEST_CASE("two trees and their times, for all p to 300 and some beyond") {
  for (int size = 1; size <= 300; ++size) {
    CAPTURE(size);
    CHECK(two_trees_are_trees(size));
    CHECK(two_tree_times_agree(size));
  }
  for (int size : {1000, 1024, 1025}) CHECK((two_trees_are_trees(size) && two_tree_times_agree(size)));
}

#pragma once
/// The binomial tree over ranks 0..p-1, rooted at 0: clearing the lowest bit gives the parent, so every subtree is a
/// run of ranks.  Ranks here are relative to the root.
#include <algorithm>

#include "patterns/power.hpp"

namespace tutti {

struct BinomialTree {
  int size;

  /// The distance of the root's furthest child, hence of the first round downwards; 0 for one rank.
  constexpr int furthest() const { return ceil_power(size) / 2; }
  /// v is a parent in the round of that distance: it has been reached, and has a child there.
  constexpr bool parent_at(int v, int distance) const { return v % (2 * distance) == 0 && v + distance < size; }
  /// v is a child in the round of that distance.
  constexpr bool child_at(int v, int distance) const { return v % (2 * distance) == distance; }
  constexpr int parent(int v) const { return v & (v - 1); }
  /// Ranks in the subtree of v, itself included: [v, v + subtree(v)).
  constexpr int subtree(int v) const { return v == 0 ? size : std::min(v & -v, size - v); }
};

}  // namespace tutti

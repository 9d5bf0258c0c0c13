#pragma once
/// The k-nomial tree over ranks 0..p-1, rooted at 0: clearing the lowest digit to base k gives the parent, so every
/// subtree is a run of ranks.  Ranks here are relative to the root.
#include <algorithm>

#include "patterns/tree.hpp"

namespace tutti {

struct KnomialTree {
  int size;
  int radix = 2;

  /// The distance of the root's furthest level of children; 0 for one rank.
  constexpr int furthest() const { return size == 1 ? 0 : level(size - 1); }
  /// v is a parent in the round of that distance: it has been reached, and has a child there.
  constexpr bool parent_at(Rank v, int distance) const { return v % (radix * distance) == 0 && v + distance < size; }
  /// v is a child in the round of that distance.
  constexpr bool child_at(Rank v, int distance) const { return v % distance == 0 && v % (radix * distance) != 0; }
  constexpr Rank parent(Rank v) const { return v - v % (radix * lowest(v)); }
  /// Ranks in the subtree of v, itself included: [v, v + subtree(v)).
  constexpr int subtree(Rank v) const { return v == 0 ? size : std::min(lowest(v), size - v); }

  /// The furthest child is told first, so that backwards operands meet in the order of v.
  constexpr TreePlace place(Rank v) const {
    TreePlace place;
    if (v != 0) place.parent = parent(v);
    for (int distance = furthest(); distance > 0; distance /= radix) {
      if (!parent_at(v, distance)) continue;
      const int most = std::min(radix - 1, (size - 1 - v) / distance);
      for (int i = most; i > 0; --i) place.children.push_back(v + i * distance);
    }
    return place;
  }

 private:
  /// The largest power of k that is not above v; v > 0.
  constexpr int level(int v) const {
    int distance = 1;
    while (v / distance >= radix) distance *= radix;
    return distance;
  }
  /// The power of k of the lowest digit of v that is not 0; v > 0.
  constexpr int lowest(Rank v) const {
    int distance = 1;
    while (v / distance % radix == 0) distance *= radix;
    return distance;
  }
};

}  // namespace tutti

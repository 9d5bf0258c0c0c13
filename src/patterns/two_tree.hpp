#pragma once
/// Two binary trees over the ranks 1..N, both below rank 0: an inner rank of one is a leaf of the other, so that no
/// rank hears from more than two or tells more than two.  Edges have two colours, such that the two that arrive at a
/// rank differ, and the two that leave it: edges of one colour work in even steps, those of the other in odd ones.
/// Sanders, Speck & Träff 2009.
#include <array>
#include <vector>

#include "core/block.hpp"

namespace tutti {

struct TwoTree {
  int size;

  struct Edge {
    int tree = 0;  ///< 0 or 1
    Rank to = -1;  ///< that rank and its parent; -1: no edge
    constexpr explicit operator bool() const { return to > 0; }
    bool operator==(const Edge&) const = default;
  };

  constexpr Rank parent(const Edge& edge) const {
    return edge.tree == 0 ? first_parent(edge.to) : mapped(first_parent(unmapped(edge.to)));
  }
  /// The edges down from v, in that tree.
  constexpr std::array<Edge, 2> below(int tree, Rank v) const {
    std::array<Rank, 2> children = first_children(tree == 0 ? v : unmapped(v));
    if (tree == 1)
      for (Rank& child : children) child = mapped(child);
    return {Edge{tree, children[0]}, Edge{tree, children[1]}};
  }
  /// The other edge that arrives at the same rank.
  constexpr Edge beside(const Edge& edge) const { return {1 - edge.tree, edge.to}; }
  /// The other edge that leaves the same rank, if there is one.
  constexpr Edge sibling(const Edge& edge) const {
    const Rank above = parent(edge);
    if (above == 0) return below(1 - edge.tree, 0)[1];
    const std::array<Edge, 2> edges = below(edge.tree, above);
    return edges[0] == edge ? edges[1] : edges[0];
  }

 private:
  constexpr int inner() const { return size - 1; }  ///< N
  /// The first tree: odd ranks are leaves; in rank order, the left subtree comes before a rank, the right one after it.
  constexpr Rank first_parent(Rank x) const {
    if (x <= 0) return x;
    const int bit = x & -x, up = (x ^ bit) | 2 * bit;
    return up <= inner() ? up : x ^ bit;
  }
  /// Left and right child, or -1.  Rank 0 has a right one alone.
  constexpr std::array<Rank, 2> first_children(Rank x) const {
    int half = x == 0 ? 1 << 29 : (x & -x) / 2;
    const Rank left = x > 0 && half > 0 ? x - half : -1;
    while (half > 0 && x + half > inner()) half /= 2;
    return {left, half > 0 ? x + half : -1};
  }
  /// The second tree: the first one mirrored, or shifted by one where that would leave a rank in place.
  constexpr Rank mapped(Rank x) const {
    if (x <= 0) return x;
    return inner() % 2 == 0 ? size - x : x % inner() + 1;
  }
  constexpr Rank unmapped(Rank x) const {
    if (x <= 0) return x;
    return inner() % 2 == 0 ? size - x : x == 1 ? inner() : x - 1;
  }
};

/// When each edge works: the block i of its half of the vector in step `start + 2 i`.
class TwoTreeTimes {
 public:
  /// Edges that share a rank on either side form paths and even cycles, coloured by walking them: O(p).
  explicit constexpr TwoTreeTimes(const TwoTree& trees) : trees_(trees) {
    colours_.assign(static_cast<std::size_t>(2 * trees.size), none);
    for (Rank to = 1; to < trees.size; ++to) {
      for (int tree : {0, 1}) {
        const TwoTree::Edge edge{tree, to};
        if (colour(edge) != none) continue;
        colour(edge) = 0;
        walk(edge, true);
        walk(edge, false);
      }
    }
  }

  constexpr int colour(const TwoTree::Edge& edge) const { return colours_[index(edge)]; }
  /// As soon as the block is there and its colour has its turn.
  constexpr int start(const TwoTree::Edge& edge) const {
    const Rank above = trees_.parent(edge);
    if (above == 0) return colour(edge);
    const int earliest = start({edge.tree, above}) + 1;
    return earliest + (earliest + colour(edge)) % 2;
  }

 private:
  static constexpr signed char none = -1;
  static constexpr std::size_t index(const TwoTree::Edge& edge) {
    return static_cast<std::size_t>(2 * edge.to + edge.tree);
  }
  constexpr signed char& colour(const TwoTree::Edge& edge) { return colours_[index(edge)]; }

  constexpr void walk(TwoTree::Edge edge, bool arriving) {
    for (;; arriving = !arriving) {
      const TwoTree::Edge next = arriving ? trees_.beside(edge) : trees_.sibling(edge);
      if (!next || colour(next) != none) return;
      colour(next) = static_cast<signed char>(1 - colour(edge));
      edge = next;
    }
  }

  TwoTree trees_;
  std::vector<signed char> colours_;
};

}  // namespace tutti

#pragma once
/// Trees over ranks: whom each rank hears from and whom it tells.  Downwards they broadcast and scatter; backwards they
/// reduce and gather.
#include <vector>

#include "core/block.hpp"

namespace tutti {

/// A rank's place in a tree.
struct TreePlace {
  Rank parent = -1;            ///< -1 at the root
  std::vector<Rank> children;  ///< in the order in which they are told
  bool operator==(const TreePlace&) const = default;
};

/// The root tells everybody, the farthest in rank first on either side: backwards, operands are combined in rank order.
struct FlatTree {
  int size;
  Rank root = 0;

  constexpr TreePlace place(Rank me) const {
    if (me != root) return {root, {}};
    TreePlace place;
    for (Rank rank = 0; rank < root; ++rank) place.children.push_back(rank);
    for (Rank rank = size - 1; rank > root; --rank) place.children.push_back(rank);
    return place;
  }
};

/// 0 tells 1, 1 tells 2, …
struct Chain {
  int size;

  constexpr TreePlace place(Rank v) const {
    TreePlace place{v - 1, {}};
    if (v + 1 < size) place.children.push_back(v + 1);
    return place;
  }
};

/// A binary tree in which the odd ranks are one half below the root and the even ones the other: on level l, which
/// begins at 2^l - 1, the children of v are v + 2^l and v + 2^(l+1).  Open MPI's, for its split binary broadcast.
struct BinaryTree {
  int size;

  constexpr TreePlace place(Rank v) const {
    int width = 1;  // of v's level
    while (2 * width - 1 <= v) width *= 2;
    TreePlace place;
    if (v > 0) place.parent = v - width / 2 >= width - 1 ? v - width : v - width / 2;
    for (Rank child : {v + width, v + 2 * width})
      if (child < size) place.children.push_back(child);
    return place;
  }
};

/// A binary tree whose subtrees are runs of ranks that end with their root: the last rank of n has the first n/2 of
/// them below it, and all others but itself.  Backwards, operands meet in rank order; the root is the last rank.
/// As in Open MPI.
struct InOrderBinaryTree {
  int size;

  constexpr TreePlace place(Rank v) const {
    int first = 0, count = size;
    TreePlace place;
    while (v != first + count - 1) {
      place.parent = first + count - 1;
      const int lower = count / 2;
      if (v < first + lower)
        count = lower;
      else
        first += lower, count -= lower + 1;
    }
    if (count > 1) place.children.push_back(first + count / 2 - 1);
    if (count > 2) place.children.push_back(v - 1);
    return place;
  }
};

}  // namespace tutti

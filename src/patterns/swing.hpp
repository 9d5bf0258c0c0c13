#pragma once
/// Peers that get further away in turns to the left and to the right, for an even number of ranks: after 1, 1, 3, 5,
/// 11, … ranks, rho(s) = (1 - (-2)^(s+1)) / 3.  On rings and tori, and where distance is dear, q rounds travel less
/// than along a hypercube.  De Sensi et al. 2024 (Swing), De Sensi et al. 2025 (Bine: binomial negabinary trees).
#include <vector>

#include "core/block.hpp"
#include "patterns/power.hpp"
#include "patterns/ring.hpp"

namespace tutti {

struct Swing {
  int size;  ///< even, or 1

  constexpr int rounds() const { return ceil_log2(size); }
  static constexpr int rho(int s) { return (1 + (s % 2 == 0 ? 2 << s : -(2 << s))) / 3; }
  /// The peer in the exchange over the s-th distance; its own peer is this rank.
  constexpr Rank peer(Rank rank, int s) const {
    const int shift = rank % 2 == 0 ? rho(s) : -rho(s);
    return ((rank + shift) % size + size) % size;
  }
};

/// A broadcast along those peers, far ones first, in which every rank that holds the data hands it to its peer unless
/// that holds it already: where p is no power of two, the only way in which nobody is told twice.  All owners' trees
/// are alike: mirrored for odd owners.
class SwingTree {
 public:
  explicit constexpr SwingTree(Swing swing)
      : swing_(swing), distance_(static_cast<std::size_t>(swing.size), swing.rounds()) {
    std::vector<Rank> reached{0};
    for (int s = swing.rounds() - 1; s >= 0; --s) {
      for (std::size_t i = 0, before = reached.size(); i < before; ++i) {
        const Rank peer = swing.peer(reached[i], s);
        if (peer == 0 || distance(peer) < swing.rounds()) continue;
        distance_[static_cast<std::size_t>(peer)] = s;
        reached.push_back(peer);
      }
    }
  }
  /// Whether the owner's data reaches that rank over the s-th distance.
  constexpr bool reaches(Rank owner, Rank rank, int s) const {
    const int offset = owner % 2 == 0 ? rank - owner : owner - rank;
    return offset != 0 && distance(offset < 0 ? offset + swing_.size : offset) == s;
  }

 private:
  constexpr int distance(int offset) const { return distance_[static_cast<std::size_t>(offset)]; }
  Swing swing_;
  std::vector<int> distance_;  ///< by offset from an even owner; rounds(): none
};

}  // namespace tutti

#pragma once
/// Folding p ranks to fewer: neighbours form groups, and the last rank of a group (its carrier) stands for all of it.
/// With e = p - `size` ranks too many, the first e / (k-1) groups have `radix` = k ranks, the next one the rest, and
/// all others one.  Groups are runs of ranks, so the order of operands is kept.
///
/// To a power of two, in pairs: Thakur, Rabenseifner & Gropp 2005.  To a power of k, in groups of k: MPICH's
/// "recursive exchange".
#include <algorithm>

#include "core/block.hpp"
#include "patterns/power.hpp"

namespace tutti {

struct Fold {
  int ranks;
  int folded_size = floor_power(ranks);  ///< at least ranks / radix
  int radix = 2;

  static constexpr Fold to_power_of(int radix, int ranks) { return {ranks, floor_power(ranks, radix), radix}; }
  static constexpr Fold to_even(int ranks) { return {ranks, ranks > 1 ? ranks / 2 * 2 : 1}; }

  constexpr int size() const { return folded_size; }
  constexpr int excess() const { return ranks - folded_size; }
  /// The first rank of the group of that number; for `size()`, the end of the last group.
  constexpr Rank first(int number) const { return std::min(number * radix, number + excess()); }
  /// Number of the rank's group, in [0, size()).
  constexpr int folded(Rank rank) const {
    return std::max(std::min(rank / radix, excess() / (radix - 1)), rank - excess());
  }
  /// The carrier of the group of that number.
  constexpr Rank unfolded(int number) const { return first(number + 1) - 1; }
  constexpr Rank carrier_of(Rank rank) const { return unfolded(folded(rank)); }
  /// Hands its data over and takes the result back.
  constexpr bool idle(Rank rank) const { return carrier_of(rank) != rank; }
};

}  // namespace tutti

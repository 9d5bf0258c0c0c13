#pragma once
/// Folding p ranks to a power of two: the first 2e ranks (e = p - P) pair up, and the even one of a pair hands its
/// data to the odd one.  Pairs are neighbours, so the order of operands is kept.  Thakur, Rabenseifner & Gropp 2005.
#include "core/block.hpp"
#include "patterns/power.hpp"

namespace tutti {

struct Fold {
  int ranks;

  constexpr int size() const { return floor_power(ranks); }
  constexpr int excess() const { return ranks - size(); }
  constexpr bool paired(Rank rank) const { return rank < 2 * excess(); }
  /// Hands its data over and takes the result back.
  constexpr bool idle(Rank rank) const { return paired(rank) && rank % 2 == 0; }
  /// Stands for its idle partner as well.
  constexpr bool carrier(Rank rank) const { return paired(rank) && rank % 2 == 1; }
  constexpr Rank partner(Rank rank) const { return rank ^ 1; }
  /// Number of a rank that is not idle, in [0, size()).
  constexpr int folded(Rank rank) const { return paired(rank) ? rank / 2 : rank - excess(); }
  constexpr Rank unfolded(int number) const { return number < excess() ? 2 * number + 1 : number + excess(); }
};

}  // namespace tutti

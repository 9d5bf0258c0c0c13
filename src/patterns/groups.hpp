#pragma once
/// p ranks in runs of nearly equal size: the first p mod `count` groups have one rank more.
#include <algorithm>

#include "core/block.hpp"

namespace tutti {

struct Groups {
  int ranks, count;

  /// As many as it takes for groups of at most `most` ranks.
  static constexpr Groups of_at_most(int most, int ranks) { return {ranks, (ranks + most - 1) / most}; }

  constexpr int size(int group) const { return ranks / count + (group < ranks % count ? 1 : 0); }
  constexpr Rank first(int group) const { return group * (ranks / count) + std::min(group, ranks % count); }
  constexpr int of(Rank rank) const {
    const int small = ranks / count, in_large = ranks % count * (small + 1);
    return rank < in_large ? rank / (small + 1) : ranks % count + (rank - in_large) / small;
  }
};

}  // namespace tutti

#pragma once
/// The binomial trees of an allgather, all at once.  The rank at offset s behind whom an owner lies gets that owner's
/// block from the rank lowbit(s) back, so in any one exchange all ranks do the same.  Exchanges of several offsets are
/// aggregated, at most A = `aggregation` of them: first the multiples of D = 2^q / A together, far ones first; then,
/// for each a in [1, D) in preorder, the offsets a, a + D, a + 2D, …  NCCL's PAT.
#include <algorithm>

#include "patterns/power.hpp"

namespace tutti {

struct AggregatedTrees {
  int size;
  int stride;  ///< D

  /// `aggregation` is rounded down to a power of two; beyond 2^q it changes nothing.
  constexpr AggregatedTrees(int size, int aggregation)
      : size(size), stride(ceil_power(size) / std::min(floor_power(aggregation), ceil_power(size))) {}

  /// One exchange: the offsets first, first + stride, … below `size`, over `distance` ranks.
  struct Hop {
    int distance, first, stride;
  };
  constexpr Hop begin() const {
    const int distance = ceil_power(size) / 2;
    return distance >= stride ? Hop{distance, distance, 2 * distance} : linear(distance);
  }
  constexpr bool ended(const Hop& hop) const { return hop.first == 0; }
  /// Offsets below D are visited in preorder, the largest child first.  Hops without offsets are left out.
  constexpr Hop next(Hop hop) const {
    if (hop.stride > stride) return hop.distance > stride ? halved(hop) : linear(stride / 2);
    do {
      const int low = hop.first & -hop.first, parent = hop.first - 1;
      hop = linear(low > 1 ? hop.first + low / 2 : parent - (parent & -parent) / 2);
    } while (hop.first >= size);
    return hop;
  }

 private:
  static constexpr Hop halved(const Hop& hop) { return {hop.distance / 2, hop.distance / 2, hop.distance}; }
  constexpr Hop linear(int a) const { return {a & -a, a, stride}; }
};

}  // namespace tutti

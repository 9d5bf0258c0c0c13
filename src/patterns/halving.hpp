#pragma once
/// Halving a row of P parts along a hypercube of P = 2^f ranks, nearest neighbours first: in round i, u and its
/// neighbour u ^ 2^i hold the same window; bit i of u says which half u keeps.  Nearest first keeps the order of
/// operands; u ends with the part whose number is u with its bits reversed.  Rabenseifner 2004.
#include "core/block.hpp"

namespace tutti {

struct Halving {
  int size;  ///< ranks and parts, a power of two

  struct Window {
    int first = 0, count = 1;
    bool operator==(const Window&) const = default;
  };

  /// What u keeps after `rounds` rounds.
  constexpr Window window(int u, int rounds) const {
    Window kept{0, size};
    for (int i = 0; i < rounds; ++i) {
      kept.count /= 2;
      if ((u >> i) & 1) kept.first += kept.count;
    }
    return kept;
  }
};

}  // namespace tutti

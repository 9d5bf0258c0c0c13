#pragma once
/// Halving a row of P parts among P = 2^f ranks: in round i, u and its peer hold the same window of parts, and each
/// keeps one half of it.
///
/// Along a hypercube, nearest neighbours first, bit i of u says which half u keeps, and the order of operands is kept;
/// u ends with the part whose number is u with its bits reversed.  Rabenseifner 2004.  Swinging (patterns/swing.hpp), u
/// ends with the part that makes all windows runs just so: from u in negabinary.  De Sensi et al. 2025 (Bine).
#include "core/block.hpp"
#include "patterns/power.hpp"
#include "patterns/swing.hpp"

namespace tutti {

struct Halving {
  int size;  ///< ranks and parts, a power of two
  bool swinging = false;

  struct Window {
    int first = 0, count = 1;
    bool operator==(const Window&) const = default;
  };

  constexpr int rounds() const { return floor_log2(size); }
  constexpr int peer(int u, int round) const { return swinging ? Swing{size}.peer(u, round) : u ^ (1 << round); }
  /// What u ends with.
  constexpr int part(int u) const {
    const auto code = static_cast<unsigned>(swinging ? negabinary_gray(u) : u);
    int reversed = 0;
    for (int i = 0; i < rounds(); ++i) reversed |= static_cast<int>(code >> i & 1u) << (rounds() - 1 - i);
    return reversed;
  }
  /// What u keeps after `rounds` rounds: the aligned run of that size around its part.
  constexpr Window window(int u, int rounds) const {
    const int count = size >> rounds;
    return {part(u) & ~(count - 1), count};
  }

 private:
  /// The Gray code of -u, or of u where u is odd, to the base -2.
  constexpr int negabinary_gray(int u) const {
    constexpr unsigned odd_bits = 0xAAAAAAAAu;
    const unsigned negabinary = (odd_bits + static_cast<unsigned>(u % 2 != 0 ? u : -u)) ^ odd_bits;
    const unsigned low = negabinary & static_cast<unsigned>(size - 1);
    return static_cast<int>(low ^ low >> 1);
  }
};

}  // namespace tutti

#pragma once
/// Powers of two, and of k, around p.
#include <bit>

namespace tutti {

/// f = floor(lg p).
constexpr int floor_log2(int p) { return std::bit_width(static_cast<unsigned>(p)) - 1; }
/// q = ceil(lg p), the fewest rounds in which one rank can reach p.
constexpr int ceil_log2(int p) { return p <= 1 ? 0 : floor_log2(p - 1) + 1; }
/// P = 2^f, the largest power of two that is not above p.
constexpr int floor_power(int p) { return 1 << floor_log2(p); }
/// 2^q, the least power of two that is not below p.
constexpr int ceil_power(int p) { return 1 << ceil_log2(p); }
/// The largest power of k that is not above p.
constexpr int floor_power(int p, int k) {
  int power = 1;
  while (power <= p / k) power *= k;
  return power;
}

}  // namespace tutti

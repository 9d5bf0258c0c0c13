#pragma once
/// The ring: rank arithmetic modulo p.
#include "core/block.hpp"

namespace tutti {

struct Ring {
  int size;

  /// The rank `steps` further on; 0 <= steps <= size.
  constexpr Rank ahead(Rank me, int steps) const { return me + steps < size ? me + steps : me + steps - size; }
  /// The rank `steps` back; 0 <= steps <= size.
  constexpr Rank behind(Rank me, int steps) const { return me >= steps ? me - steps : me - steps + size; }
  constexpr Rank next(Rank me) const { return ahead(me, 1); }
  constexpr Rank previous(Rank me) const { return behind(me, 1); }
};

}  // namespace tutti

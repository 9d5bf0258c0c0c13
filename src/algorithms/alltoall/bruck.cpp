/// The block for the rank i ahead travels by the powers of two that i is the sum of, least first, with all other
/// blocks that take the same hop: T = lg p (alpha + m/2 beta).  Bruck et al. 1997.
///
/// Slot i starts in the input, at the rank i ahead, and ends in the output, from the rank i behind.  In between it
/// rests in one of two scratch areas by turns: what arrives must not overwrite what is still being sent, or all ranks
/// would wait for each other.  So nothing is rotated, before or after.
#include <bit>

#include "core/schedule.hpp"
#include "patterns/ring.hpp"

namespace tutti {
namespace {

int hops(int slot) { return std::popcount(static_cast<unsigned>(slot)); }

}  // namespace

Schedule alltoall_bruck(Context context) {
  const Ring ring{context.size};
  const Rank me = context.me;
  if (context.size > 3) co_yield scratch_area(1, 0, context.size);
  if (context.size > 7) co_yield scratch_area(0, 0, context.size);
  for (int distance = 1; distance < context.size; distance *= 2) {
    BlockList leaving, arriving;
    for (int slot = distance; slot < context.size; ++slot) {
      if (!(slot & distance)) continue;
      const int made = hops(slot & (distance - 1));
      leaving.add(made == 0 ? input(ring.ahead(me, slot)) : scratch(made % 2, slot));
      arriving.add(made + 1 == hops(slot) ? output(ring.behind(me, slot)) : scratch((made + 1) % 2, slot));
    }
    co_yield send(ring.ahead(me, distance), leaving);
    co_yield receive(ring.behind(me, distance), arriving);
    co_yield round_mark();
  }
}

}  // namespace tutti

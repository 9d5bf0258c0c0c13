/// In each round the run of blocks that starts at the own one doubles: T = lg p alpha + (p-1)/p m beta, for any p.
/// Bruck et al. 1997.  In place: the run wraps around the end of the output (two pieces a message) instead of being
/// rotated at the end.
#include <algorithm>

#include "core/schedule.hpp"
#include "patterns/ring.hpp"

namespace tutti {

Schedule allgather_bruck(Context context) {
  const Ring ring{context.size};
  const Rank me = context.me;
  for (int held = 1; held < context.size; held *= 2) {
    const int count = std::min(held, context.size - held);
    co_yield send(ring.behind(me, held), wrapped(output(0), me, count, context.size));
    co_yield receive(ring.ahead(me, held), wrapped(output(0), me + held, count, context.size));
    co_yield round_mark();
  }
}

}  // namespace tutti

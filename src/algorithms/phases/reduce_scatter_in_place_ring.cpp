/// Each partial result travels once round the ring and ends with its owner: T = (p-1)(alpha + m/p (beta + gamma)).
/// Operands come in cyclic order, so the operator must commute.  Every block is combined on one path only, so that all
/// ranks that get it later get the same bits.
#include "algorithms/phases/phases.hpp"
#include "patterns/ring.hpp"

namespace tutti {

Schedule reduce_scatter_in_place_ring(Context context) {
  const Ring ring{context.size};
  const Rank me = context.me;
  co_yield floating_owners(0);
  for (int step = 0; step < context.size - 1; ++step) {
    const Rank passed_on = ring.behind(me, step + 1), partial = ring.behind(me, step + 2);
    co_yield send(ring.next(me), output(passed_on));
    co_yield receive(ring.previous(me), scratch(0, partial));
    co_yield reduce_left(scratch(0, partial), output(partial));
    co_yield round_mark();
  }
}

}  // namespace tutti

/// In round i every rank sends the sum of the 2^i ranks that end with it to the one 2^i ahead:
/// T = lg p (alpha + m beta + m gamma), for any p, in rank order; half the sums of recursive doubling.
/// Hillis & Steele 1986.
#include "algorithms/combinators/shifted.hpp"

namespace tutti {

Schedule scan_simultaneous(Context context) {
  const Rank me = context.me;
  if (me > 0) co_yield scratch_area(0, 0, 1);
  for (int distance = 1; distance < context.size; distance *= 2) {
    if (me + distance < context.size) co_yield send(me + distance, output(0));
    if (me >= distance) {
      co_yield receive(me - distance, scratch(0, 0));
      co_yield reduce_left(scratch(0, 0), output(0));
    }
    co_yield round_mark();
  }
}

/// T = (1 + lg(p-1))(alpha + m beta) + lg(p-1) m gamma.
Schedule exscan_simultaneous(Context context) { return shifted(context, scan_simultaneous); }

}  // namespace tutti

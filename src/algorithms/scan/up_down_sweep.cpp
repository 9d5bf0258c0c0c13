/// Sums of 2, 4, 8, … ranks are made on the way up; on the way down, each rank whose prefix is complete completes the
/// next: T = (2 lg p - 1)(alpha + m beta) + (2 lg p - 2) m gamma, for any p, in rank order, with fewer than 2p messages
/// and sums in all where the others make p lg p.  Brent & Kung 1982.
#include "algorithms/combinators/shifted.hpp"
#include "patterns/power.hpp"

namespace tutti {
namespace {

/// `last` ends an aligned run of that many ranks.
constexpr bool ends(Rank last, int run) { return (last + 1) % run == 0; }

}  // namespace

Schedule scan_up_down_sweep(Context context) {
  const Rank me = context.me;
  const Blocks arrived = scratch(0, 0);
  if (me > 0) co_yield scratch_area(0, 0, 1);
  for (int run = 1; 2 * run <= context.size; run *= 2) {
    if (ends(me, 2 * run)) {
      co_yield receive(me - run, arrived);
      co_yield reduce_left(arrived, output(0));
    } else if (ends(me, run) && me + run < context.size) {
      co_yield send(me + run, output(0));
    }
    co_yield round_mark();
  }
  for (int run = floor_power(context.size) / 2; run > 0; run /= 2) {
    if (ends(me, 2 * run) && me + run < context.size) {
      co_yield send(me + run, output(0));
    } else if (ends(me, run) && !ends(me, 2 * run) && me >= run) {
      co_yield receive(me - run, arrived);
      co_yield reduce_left(arrived, output(0));
    }
    co_yield round_mark();
  }
}

/// T = 2 lg(p-1) (alpha + m beta) + (2 lg(p-1) - 2) m gamma.
Schedule exscan_up_down_sweep(Context context) { return shifted(context, scan_up_down_sweep); }

}  // namespace tutti

/// Reduce-scatter by halving, then allgather by doubling back along the same way:
/// T = 2 lg p alpha + 2 (p-1)/p m beta + (p-1)/p m gamma for powers of two.  Rabenseifner 2004; Thakur, Rabenseifner &
/// Gropp 2005.  Halving nearest neighbours first keeps the order of operands (patterns/halving.hpp).
#include "algorithms/combinators/combinators.hpp"
#include "patterns/halving.hpp"
#include "patterns/power.hpp"

namespace tutti {
namespace {

Schedule halving_doubling(Context context) {
  const Rank me = context.me;
  const int rounds = floor_log2(context.size);
  const Halving halving{context.size};
  const auto window_of = [&](Rank rank, int round, Blocks whole) {
    const Halving::Window window = halving.window(rank, round + 1);
    return part(whole, window.first, context.size, window.count);
  };
  if (rounds > 0) co_yield floating_parts(0, context.size, context.size / 2);
  for (int round = 0; round < rounds; ++round) {
    const Rank partner = me ^ (1 << round);
    const Blocks kept = window_of(me, round, output(0)), arrived = window_of(me, round, scratch(0, 0));
    co_yield send(partner, window_of(partner, round, output(0)));
    co_yield receive(partner, arrived);
    co_yield partner < me ? reduce_left(arrived, kept) : reduce_right(arrived, kept);
    co_yield round_mark();
  }
  for (int round = rounds - 1; round >= 0; --round) {
    const Rank partner = me ^ (1 << round);
    co_yield send(partner, window_of(me, round, output(0)));
    co_yield receive(partner, window_of(partner, round, output(0)));
    co_yield round_mark();
  }
}

}  // namespace

Schedule allreduce_rabenseifner(Context context) { return folded(context, halving_doubling); }

}  // namespace tutti

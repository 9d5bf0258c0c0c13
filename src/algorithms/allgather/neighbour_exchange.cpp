/// Every rank talks to its two neighbours by turns, and after the first round passes on the pair of blocks it got last:
/// T = p/2 alpha + (p-1)/p m beta for even p.  Chen et al. 2005, "Performance evaluation of allgather algorithms".
/// An odd rank too many hands its block to its neighbour (2 alpha + m beta more).
#include "algorithms/combinators/combinators.hpp"
#include "patterns/ring.hpp"

namespace tutti {
namespace {

Schedule exchange(Context context) {
  if (context.size == 1) co_return;
  const Ring ring{context.size};
  const Rank me = context.me, pair = me & ~1;
  const bool even = me % 2 == 0;
  const Rank partner[2] = {me ^ 1, even ? ring.previous(me) : ring.next(me)};
  co_yield send(partner[0], output(me));
  co_yield receive(partner[0], output(partner[0]));
  co_yield round_mark();
  // From either partner come the pairs two further on each time, on its side.
  Rank last = pair, from[2] = {pair, pair};
  for (int round = 1; round < context.size / 2; ++round) {
    const int turn = round % 2;
    from[turn] = even == (turn == 0) ? ring.ahead(from[turn], 2) : ring.behind(from[turn], 2);
    co_yield send(partner[turn], output(last, 2));
    co_yield receive(partner[turn], output(from[turn], 2));
    co_yield round_mark();
    last = from[turn];
  }
}

}  // namespace

Schedule allgather_neighbour_exchange(Context context) {
  return folded_blocks(context, Fold::to_even(context.size), exchange);
}

}  // namespace tutti

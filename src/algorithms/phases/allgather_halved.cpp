/// Windows double in every round, the nearest peer last: T = lg p alpha + (p-1)/p m beta for powers of two.
/// Rabenseifner 2004.
#include "algorithms/phases/phases.hpp"

namespace tutti {

Schedule allgather_halved(Rank me, Halving halving) {
  for (int round = halving.rounds() - 1; round >= 0; --round) {
    const Rank peer = halving.peer(me, round);
    const Halving::Window held = halving.window(me, round + 1), theirs = halving.window(peer, round + 1);
    co_yield send(peer, output(held.first, held.count));
    co_yield receive(peer, output(theirs.first, theirs.count));
    co_yield round_mark();
  }
}

}  // namespace tutti

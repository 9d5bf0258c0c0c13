/// In round i every rank exchanges blocks with the rank whose number differs in the bits of i, and rests where there is
/// none: T = (p-1)(alpha + m/p beta) for powers of two, where every round is pairs of ranks; 2^ceil(lg p) - 1 rounds
/// otherwise.  The hypercube's pairwise exchange; Thakur & Gropp 2002, 4.5.
#include "core/schedule.hpp"
#include "patterns/power.hpp"

namespace tutti {

Schedule alltoall_xor(Context context) {
  for (int bits = 1; bits < ceil_power(context.size); ++bits) {
    const Rank partner = context.me ^ bits;
    if (partner < context.size) {
      co_yield send(partner, input(partner));
      co_yield receive(partner, output(partner));
    }
    co_yield round_mark();
  }
}

}  // namespace tutti

/// In round i, each rank tells the one 2^i ahead that it, and all it has heard of, are here.  T = lg p alpha, for any
/// p.  Hensgen, Finkel & Manber 1988.
#include "core/schedule.hpp"
#include "patterns/ring.hpp"

namespace tutti {

Schedule barrier_dissemination(Context context) {
  const Ring ring{context.size};
  for (int round = 0, distance = 1; distance < context.size; ++round, distance *= 2) {
    // Reads what every earlier round heard, hence waits for it; writes a token of its own, hence waits for no send.
    co_yield send(ring.ahead(context.me, distance), token(0, round + 1));
    co_yield receive(ring.behind(context.me, distance), token(round + 1));
    co_yield round_mark();
  }
}

}  // namespace tutti

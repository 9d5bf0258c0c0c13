/// Each rank passes on the block it received last: T = (p-1)(alpha + m/p beta), between neighbours only.
/// Thakur & Gropp 2002, 4.2.
#include "patterns/ring.hpp"

#include "algorithms/allgather/allgather.hpp"

namespace tutti {

Schedule allgather_ring(Context context) {
  const Ring ring{context.size};
  const Rank me = context.me;
  for (int step = 0; step < context.size - 1; ++step) {
    co_yield send(ring.next(me), output(ring.behind(me, step)));
    co_yield receive(ring.previous(me), output(ring.behind(me, step + 1)));
    co_yield round_mark();
  }
}

}  // namespace tutti

/// Every rank sends its block to all others, each straight to its place, `window` of them at a time, beginning with the
/// next rank so that nobody is everybody's first: T = (p-1) alpha + (p-1)/p m beta, with up to `window` messages on
/// their way at once.
#include "core/schedule.hpp"
#include "patterns/ring.hpp"

namespace tutti {

Schedule allgather_direct(Context context) {
  const Ring ring{context.size};
  const Rank me = context.me;
  const int window = context.parameter(0, 32);
  for (int distance = 1; distance < context.size; ++distance) {
    const Rank from = ring.behind(me, distance);
    co_yield send(ring.ahead(me, distance), output(me));
    co_yield receive(from, output(from));
    if (distance % window == 0 || distance == context.size - 1) co_yield fence();
  }
}

}  // namespace tutti

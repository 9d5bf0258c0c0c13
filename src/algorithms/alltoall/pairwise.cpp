/// In round i every rank sends to the one i ahead and receives from the one i behind, each block once and straight to
/// its place: T = (p-1) alpha + (p-1)/p m beta.  Thakur & Gropp 2002, 4.5.
#include "core/schedule.hpp"
#include "patterns/ring.hpp"

namespace tutti {

Schedule alltoall_pairwise(Context context) {
  const Ring ring{context.size};
  for (int distance = 1; distance < context.size; ++distance) {
    const Rank to = ring.ahead(context.me, distance), from = ring.behind(context.me, distance);
    co_yield send(to, input(to));
    co_yield receive(from, output(from));
    co_yield round_mark();
  }
}

}  // namespace tutti

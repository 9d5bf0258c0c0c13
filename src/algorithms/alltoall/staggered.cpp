/// Every rank starts with its neighbour instead of with rank 0, so that no rank is everybody's first, and has `window`
/// blocks under way in either direction: T = (p-1)(alpha + m/p beta) through one port.  MPICH's "scattered".
///
/// A window of one is the pairwise exchange: in round i every rank sends to the one i ahead and receives from the one
/// i behind.  Thakur & Gropp 2002, 4.5.
#include "core/schedule.hpp"
#include "patterns/ring.hpp"

namespace tutti {
namespace {

Schedule shift(Context context, int window) {
  const Ring ring{context.size};
  for (int distance = 1; distance < context.size; ++distance) {
    const Rank to = ring.ahead(context.me, distance), from = ring.behind(context.me, distance);
    co_yield send(to, input(to));
    co_yield receive(from, output(from));
    if (distance % window == 0 || distance == context.size - 1) co_yield fence();
  }
}

}  // namespace

Schedule alltoall_staggered(Context context) { return shift(context, context.parameter(0, 32)); }

Schedule alltoall_pairwise(Context context) { return shift(context, 1); }

}  // namespace tutti

/// In each phase the run of blocks that starts at the own one grows k-fold, by k-1 messages at once:
/// T = (k-1) log_k p alpha + (p-1)/p m beta, for any p; with k-1 ports, log_k p alpha.  Bruck et al. 1997; k = 2 is the
/// form that MPI libraries know by that name.  In place: the run wraps around the end of the output (two pieces a
/// message) instead of being rotated at the end.
#include <algorithm>

#include "core/schedule.hpp"
#include "patterns/ring.hpp"

namespace tutti {
namespace {

Schedule grow(Context context, int radix) {
  const Ring ring{context.size};
  const Rank me = context.me;
  for (int held = 1; held < context.size; held *= radix) {
    for (int distance = held; distance < context.size && distance < radix * held; distance += held) {
      const int count = std::min(held, context.size - distance);
      co_yield send(ring.behind(me, distance), wrapped(output(0), me, count, context.size));
      co_yield receive(ring.ahead(me, distance), wrapped(output(0), me + distance, count, context.size));
    }
    co_yield round_mark();
  }
}

}  // namespace

Schedule allgather_bruck(Context context) { return grow(context, 2); }

Schedule allgather_k_bruck(Context context) { return grow(context, std::max(2, context.parameter(0, 4))); }

}  // namespace tutti

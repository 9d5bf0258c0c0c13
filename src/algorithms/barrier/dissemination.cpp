/// In phase i, each rank tells the k-1 that are j k^i ahead (0 < j < k) that it, and all it has heard of, are here.
/// T = (k-1) log_k p alpha through one port, log_k p alpha through k-1, for any p.  Hensgen, Finkel & Manber 1988 give
/// it for k = 2.
#include "core/schedule.hpp"
#include "patterns/ring.hpp"

namespace tutti {
namespace {

Schedule disseminate(Context context, int radix) {
  const Ring ring{context.size};
  int heard = 1;
  for (int unit = 1; unit < context.size; unit *= radix) {
    const int known = heard;
    for (int distance = unit; distance < context.size && distance < radix * unit; distance += unit) {
      // Reads what every earlier phase heard, hence waits for it; writes a token of its own, hence waits for no send.
      co_yield send(ring.ahead(context.me, distance), token(0, known));
      co_yield receive(ring.behind(context.me, distance), token(heard++));
    }
    co_yield round_mark();
  }
}

}  // namespace

Schedule barrier_dissemination(Context context) { return disseminate(context, 2); }

Schedule barrier_k_dissemination(Context context) { return disseminate(context, context.parameter(0, 4)); }

}  // namespace tutti

/// The vector in X segments, each passed down the chain as soon as it is there: T = (X + p-2)(alpha + m/X beta), least
/// at X = sqrt((p-2) m beta / alpha).  Hasanov et al., equation 3.
#include "core/schedule.hpp"

namespace tutti {

Schedule bcast_pipelined_chain(Context context) {
  const int segments = context.parameter(0, 8);
  const int v = context.relative(context.me);
  for (int i = 0; i < segments; ++i) {
    const Blocks segment = part(output(0), i, segments);
    if (v > 0) co_yield receive(context.absolute(v - 1), segment);
    if (v + 1 < context.size) co_yield send(context.absolute(v + 1), segment);
    co_yield round_mark();
  }
}

}  // namespace tutti

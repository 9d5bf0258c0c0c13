/// Partial results travel down the chain to the root: T = (p-1)(alpha + m (beta + gamma)).  In X segments, wire and
/// reduction busy at once: T = (X + p-2)(alpha + m/X (beta + gamma)).  The broadcasts backwards.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/combinators/reverse.hpp"

namespace tutti {

Schedule reduce_chain(Context context) { return reversed_reducing(context.me, bcast_chain(context)); }

Schedule reduce_pipelined_chain(Context context) {
  return reversed_reducing(context.me, bcast_pipelined_chain(context));
}

}  // namespace tutti

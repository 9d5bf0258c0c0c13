/// The root receives from every rank and combines outwards from its own place, so that operands keep rank order, never
/// the order in which they arrive: T = (p-1)(alpha + m beta + m gamma).  The flat broadcast backwards.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/combinators/reverse.hpp"

namespace tutti {

Schedule reduce_linear(Context context) { return reversed_reducing(context.me, bcast_flat(context)); }

}  // namespace tutti

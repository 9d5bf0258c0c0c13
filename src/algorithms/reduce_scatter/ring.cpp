/// Each partial result travels once round the ring and ends with its owner: T = (p-1)(alpha + m/p (beta + gamma)),
/// between neighbours only.  The operator must commute.  Patarasuk & Yuan 2009.
#include "algorithms/combinators/from_input.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {

Schedule reduce_scatter_ring(Context context) { return from_input(context, reduce_scatter_in_place_ring(context)); }

}  // namespace tutti

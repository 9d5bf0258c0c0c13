/// The vector in p parts: reduce-scatter round the ring, then allgather round the ring.
/// T = 2 (p-1) alpha + 2 (p-1)/p m beta + (p-1)/p m gamma, for any p.  Patarasuk & Yuan 2009.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {

Schedule allreduce_ring(Context context) {
  return on_parts(then(reduce_scatter_in_place_ring(context), allgather_ring(context)), context.size);
}

}  // namespace tutti

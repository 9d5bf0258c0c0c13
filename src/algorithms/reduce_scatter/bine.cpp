/// Partial results climb trees that swing left and right (patterns/swing.hpp), near ranks first:
/// T = lg p alpha + (p-1)/p m (beta + gamma) for even p; an odd rank too many adds 2 alpha + m (beta + gamma).  The
/// operator must commute.  De Sensi et al. 2025.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/combinators/from_input.hpp"
#include "algorithms/combinators/reverse.hpp"

namespace tutti {

Schedule reduce_scatter_bine(Context context) {
  return from_input(context, reversed_reducing(context.me, allgather_bine(context)));
}

}  // namespace tutti

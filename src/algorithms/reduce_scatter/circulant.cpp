/// The allgather over circulant skips backwards: T = lg p alpha + (p-1)/p m (beta + gamma), the least of each at once
/// and for any p.  The operator must commute.  Träff 2024, arXiv 2410.14234.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/combinators/from_input.hpp"
#include "algorithms/combinators/reverse.hpp"

namespace tutti {

Schedule reduce_scatter_circulant(Context context) {
  return from_input(context, reversed_reducing(context.me, allgather_circulant(context)));
}

}  // namespace tutti

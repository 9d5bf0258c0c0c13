/// All blocks up the binomial tree to rank 0, then all of them down again:
/// T = 2 lg p alpha + ((p-1)/p + lg p) m beta.  The composition that every other allgather improves on.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/combinators/reverse.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {

Schedule allgather_gather_bcast(Context context) {
  Schedule gather = in_place(reversed(scatter_in_place_binomial(context)));
  return then(std::move(gather), on_row(bcast_binomial(context), context.size));
}

}  // namespace tutti

/// Up the binomial tree to rank 0, then down again: T = 2 lg p (alpha + m beta) + lg p m gamma, in rank order.  What
/// MPICH 1.2.4 did.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {

Schedule allreduce_reduce_bcast(Context context) { return then(reduce_binomial(context), bcast_binomial(context)); }

}  // namespace tutti

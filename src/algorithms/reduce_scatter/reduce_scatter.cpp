/// A binomial reduction of everything to rank 0, which then sends every rank its block:
/// T = (lg p + p-1) alpha + (lg p + (p-1)/p) m beta + lg p m gamma.  What MPICH 1.2.4 did: Thakur & Gropp 2002, 4.4,
/// who count 2 (p-1)/p m beta, as if the reduction halved its data on the way.
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/combinators/from_input.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {

Schedule reduce_scatter_reduce_scatter(Context context) {
  return from_input(context, then(on_row(reduce_binomial(context), context.size), in_place(scatter_linear(context))));
}

}  // namespace tutti

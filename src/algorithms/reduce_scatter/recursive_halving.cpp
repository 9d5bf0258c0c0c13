/// Partners exchange the halves that the other one's side of the hypercube wants, furthest partners first:
/// T = lg p alpha + (p-1)/p m (beta + gamma) for powers of two; else (lg p + 2) alpha and (beta + gamma) m more.  That
/// is recursive doubling backwards.  Far partners first is not the order of ranks: the operator must commute.
/// Thakur, Rabenseifner & Gropp 2005, 4.4.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/combinators/from_input.hpp"
#include "algorithms/combinators/reverse.hpp"

namespace tutti {

Schedule reduce_scatter_recursive_halving(Context context) {
  const Context doubling{context.me, context.size, 0, {{2}}};
  return from_input(context, reversed_reducing(context.me, allgather_recursive_exchange(doubling)));
}

}  // namespace tutti

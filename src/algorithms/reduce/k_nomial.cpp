/// Partial results climb the k-nomial tree, nearest child first: T = (k-1) log_k p (alpha + m beta + m gamma) through
/// one port, with scratch for k-1 vectors.  The binomial tree, k = 2: T = lg p (alpha + m beta + m gamma), scratch for
/// one.  Thakur & Gropp 2002, 4.1.  The broadcasts backwards.
///
/// Relative to the root the tree costs nothing more for any root, but then operands wrap around: the operator must
/// commute.  The in-order form climbs to rank 0, which passes the result on to another root: alpha + m beta more.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/combinators/reverse.hpp"
#include "algorithms/reduce/passed_on.hpp"

namespace tutti {

Schedule reduce_binomial(Context context) { return reversed_reducing(context.me, bcast_binomial(context), 1); }

Schedule reduce_k_nomial(Context context) {
  return reversed_reducing(context.me, bcast_k_nomial(context), context.parameter(0, 4, 2) - 1);
}

Schedule reduce_binomial_in_order(Context context) {
  return passed_on(context, 0, reduce_binomial({context.me, context.size, 0, {}}));
}

}  // namespace tutti

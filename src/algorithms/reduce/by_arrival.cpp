/// As linear and k-nomial, each rank combining what has arrived while others are late: the same messages, the same cost
/// T = (p-1)(alpha + m beta + m gamma) and (k-1) log_k p (alpha + m beta + m gamma), but a late rank delays what is
/// made of its own contribution, and nothing else.  In the tree a subtree waits for its late members alone, so that a
/// flat one, k = p, tolerates them best, and its root works most.  Scratch for two vectors, and for k-1.  After
/// Parsons, imbalance-tolerant reduce.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/combinators/arrival.hpp"
#include "algorithms/combinators/reverse.hpp"

namespace tutti {

Schedule reduce_linear_by_arrival(Context context) {
  return in_arrival_order(reversed_reducing(context.me, bcast_flat(context)));
}

Schedule reduce_k_nomial_by_arrival(Context context) {
  const int children_at_a_level = context.parameter(0, 4, 2) - 1;
  return in_arrival_order(reversed_reducing(context.me, bcast_k_nomial(context), children_at_a_level));
}

}  // namespace tutti

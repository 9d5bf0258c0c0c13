/// Whoever holds the vector sends it on, farthest child first: T = (k-1) log_k p (alpha + m beta) through one port,
/// log_k p (alpha + m beta) through k - 1.
///
/// The binomial tree, k = 2, is the best through one port: T = lg p (alpha + m beta).  Thakur & Gropp 2002, 4.3
/// ("minimum spanning tree").
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/phases/trees.hpp"

namespace tutti {
namespace {

Schedule over_radix(const Context& context, int radix) {
  return bcast_down(absolute(context, KnomialTree{context.size, radix}.place(context.relative(context.me))));
}

}  // namespace

Schedule bcast_binomial(Context context) { return over_radix(context, 2); }

Schedule bcast_k_nomial(Context context) { return over_radix(context, context.parameter(0, 4, 2)); }

}  // namespace tutti

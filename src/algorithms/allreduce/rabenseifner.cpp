/// Reduce-scatter by halving, then allgather by doubling back along the same way:
/// T = 2 lg p alpha + 2 (p-1)/p m beta + (p-1)/p m gamma for powers of two.  Rabenseifner 2004; Thakur, Rabenseifner &
/// Gropp 2005.  Halving nearest neighbours first keeps the order of operands (patterns/halving.hpp).
///
/// Bine: the same with peers that swing left and right, in less distance altogether; the operator must commute.
/// De Sensi et al. 2025.
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/combinators/reverse.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {
namespace {

Schedule there_and_back(Rank me, Halving halving) {
  Schedule there = reversed_reducing(me, allgather_halved(me, halving), 1);
  return on_parts(then(std::move(there), allgather_halved(me, halving)), halving.size);
}

}  // namespace

Schedule allreduce_rabenseifner(Context context) {
  return folded(context, [](Context inner) { return there_and_back(inner.me, {inner.size}); });
}

Schedule allreduce_bine(Context context) {
  return folded(context, [](Context inner) { return there_and_back(inner.me, {inner.size, true}); });
}

}  // namespace tutti

/// The vector in p parts: the circulant allgather backwards, then forwards:
/// T = 2 lg p alpha + 2 (p-1)/p m beta + (p-1)/p m gamma for any p, with nobody folded away.  The operator must
/// commute. Träff 2024, arXiv 2410.14234.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/combinators/reverse.hpp"

namespace tutti {

Schedule allreduce_circulant(Context context) {
  Schedule there = reversed_reducing(context.me, allgather_circulant(context), 1);
  return on_parts(then(std::move(there), allgather_circulant(context)), context.size);
}

}  // namespace tutti

/// Half of the vector up and down each of two binary trees, the inner ranks of one being leaves of the other, in n
/// segments in all: T = 2 (2 lg p + n)(alpha + m/n beta) + (2 lg p + n) m/n gamma at most, so that for long vectors
/// each byte passes a rank twice, after a number of rounds that grows with lg p only.  NCCL's trees; Sanders, Speck &
/// Träff 2009, whose trees have a common root.  The operator must commute.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/combinators/reverse.hpp"

namespace tutti {

Schedule allreduce_double_binary_tree(Context context) {
  return then(reversed_reducing(context.me, bcast_two_tree(context)), bcast_two_tree(context));
}

}  // namespace tutti

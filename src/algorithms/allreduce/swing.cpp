/// The vector in p parts: up and down the trees of peers that swing left and right (patterns/swing.hpp), so that data
/// crosses fewer links of a ring or torus: T = 2 lg p alpha + 2 (p-1)/p m beta + (p-1)/p m gamma for even p; an odd
/// rank too many adds 2 alpha + m (2 beta + gamma).  The operator must commute.  De Sensi et al. 2024.
///
/// A message holds the parts that the peer's side of the tree wants, scattered over the vector; where p is a power of
/// two, Bine (rabenseifner.cpp) has the same peers, and numbers the parts such that a message is one run.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/combinators/reverse.hpp"

namespace tutti {

Schedule allreduce_swing(Context context) {
  Schedule there = reversed_reducing(context.me, allgather_bine(context), 1);
  return on_parts(then(std::move(there), allgather_bine(context)), context.size);
}

}  // namespace tutti

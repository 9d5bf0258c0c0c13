/// Root 0.  A parent hands the child at each distance the blocks of the child's whole subtree, halving the data in
/// every round: T = lg p alpha + (p-1)/p m beta.  Thakur & Gropp 2002, 4.3.
#include "algorithms/phases/phases.hpp"
#include "patterns/binomial.hpp"

namespace tutti {

Schedule scatter_in_place_binomial(Context context) {
  const BinomialTree tree{context.size};
  const Rank me = context.me;
  for (int distance = tree.furthest(); distance > 0; distance /= 2) {
    if (tree.parent_at(me, distance)) {
      const Rank child = me + distance;
      co_yield send(child, output(child, tree.subtree(child)));
    } else if (tree.child_at(me, distance)) {
      co_yield receive(me - distance, output(me, tree.subtree(me)));
    }
    co_yield round_mark();
  }
}

}  // namespace tutti

/// The reverse of the binomial gather: furthest child first, half of what is left in each round:
/// T = lg p alpha + (p-1)/p m beta.  Thakur & Gropp 2002, 4.1.
#include "patterns/binomial.hpp"

#include "core/schedule.hpp"

namespace tutti {

Schedule scatter_binomial(Context context) {
  const BinomialTree tree{context.size};
  const Rank me = context.me, root = context.root;
  const int v = context.relative(me), mine = tree.subtree(v);
  const bool inner = v != 0 && mine > 1;
  if (inner) co_yield scratch_area(0, v, mine, root);
  for (int distance = tree.furthest(); distance > 0; distance /= 2) {
    if (tree.parent_at(v, distance)) {
      const int child = v + distance, count = tree.subtree(child);
      co_yield send(context.absolute(child),
                    inner ? scratch(0, child, count) : wrapped(input(0), root + child, count, context.size));
    } else if (tree.child_at(v, distance)) {
      co_yield receive(context.absolute(v - distance), inner ? scratch(0, v, mine) : output(me));
    }
    co_yield round_mark();
  }
  if (inner) co_yield copy(scratch(0, v), output(me));
}

}  // namespace tutti

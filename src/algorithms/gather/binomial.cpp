/// Each subtree of the binomial tree gathers its run of blocks, nearest child first, and hands it up:
/// T = lg p alpha + (p-1)/p m beta.  Thakur & Gropp 2002, 4.1.  Positions are relative to the root, so that a
/// subtree is one run; inner ranks keep theirs (at most m/2) in scratch.
#include "patterns/binomial.hpp"

#include "core/schedule.hpp"

namespace tutti {

Schedule gather_binomial(Context context) {
  const BinomialTree tree{context.size};
  const Rank me = context.me, root = context.root;
  const int v = context.relative(me), mine = tree.subtree(v);
  const bool inner = v != 0 && mine > 1;
  if (inner) {
    co_yield scratch_area(0, v, mine, root);
    co_yield copy(input(me), scratch(0, v));
  }
  for (int distance = 1; distance < context.size; distance *= 2) {
    if (tree.parent_at(v, distance)) {
      const int child = v + distance, count = tree.subtree(child);
      co_yield receive(context.absolute(child),
                       inner ? scratch(0, child, count) : wrapped(output(0), root + child, count, context.size));
    } else if (tree.child_at(v, distance)) {
      co_yield send(context.absolute(v - distance), inner ? scratch(0, v, mine) : input(me));
    }
    co_yield round_mark();
  }
}

}  // namespace tutti

/// Up the binomial tree, nearest child first, then down it, furthest child first: T = 2 lg p alpha.
#include "core/schedule.hpp"
#include "patterns/binomial.hpp"

namespace tutti {

Schedule barrier_tree(Context context) {
  const BinomialTree tree{context.size};
  const Rank me = context.me;
  // token(0, heard) is what this rank has heard so far.
  int heard = 1;
  for (int distance = 1; distance < context.size; distance *= 2) {
    if (tree.parent_at(me, distance))
      co_yield receive(me + distance, token(heard++));
    else if (tree.child_at(me, distance))
      co_yield send(me - distance, token(0, heard));
    co_yield round_mark();
  }
  for (int distance = tree.furthest(); distance > 0; distance /= 2) {
    if (tree.parent_at(me, distance))
      co_yield send(me + distance, token(0, heard));
    else if (tree.child_at(me, distance))
      co_yield receive(me - distance, token(heard++));
    co_yield round_mark();
  }
}

}  // namespace tutti

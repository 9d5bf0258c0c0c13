/// Partial results climb the binomial tree, nearest child first: T = lg p (alpha + m beta + m gamma).
/// Thakur & Gropp 2002, 4.1.
///
/// Relative to the root the tree costs nothing more for any root, but then operands wrap around: the operator must
/// commute.  The in-order form climbs to rank 0, which passes the result on to another root: alpha + m beta more.
#include "patterns/binomial.hpp"

#include "core/schedule.hpp"

namespace tutti {
namespace {

/// To rank 0 of `tree`, where `rank_of` numbers it from.
Schedule climb(Context context) {
  const BinomialTree tree{context.size};
  const int v = context.relative(context.me);
  if (tree.parent_at(v, 1)) co_yield scratch_area(0, 0, 1);
  for (int distance = 1; distance < context.size; distance *= 2) {
    if (tree.parent_at(v, distance)) {
      co_yield receive(context.absolute(v + distance), scratch(0, 0));
      co_yield reduce_right(scratch(0, 0), output(0));
    } else if (tree.child_at(v, distance)) {
      co_yield send(context.absolute(v - distance), output(0));
    }
    co_yield round_mark();
  }
}

}  // namespace

Schedule reduce_binomial(Context context) { return climb(context); }

Schedule reduce_binomial_in_order(Context context) {
  Schedule steps = climb({context.me, context.size, 0, {}});
  while (const Step* step = steps.next()) co_yield *step;
  if (context.root == 0) co_return;
  if (context.me == 0) co_yield send(context.root, output(0));
  if (context.me == context.root) co_yield receive(0, output(0));
  co_yield round_mark();
}

}  // namespace tutti

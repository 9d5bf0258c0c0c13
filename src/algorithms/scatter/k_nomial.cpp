/// Every child gets the blocks of its whole subtree, the largest subtree first:
/// T = (k-1) log_k p alpha + (p-1)/p m beta through one port.  The binomial tree, k = 2, is the best through one:
/// T = lg p alpha + (p-1)/p m beta.  Thakur & Gropp 2002, 4.1.
///
/// Positions are relative to the root, so that a subtree is one run; inner ranks keep theirs in scratch, at most
/// m/2.
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/phases/phases.hpp"
#include "algorithms/phases/trees.hpp"

namespace tutti {
namespace {

Schedule over_radix(Context context, int radix) {
  const KnomialTree tree{context.size, radix};
  const Rank me = context.me, root = context.root, v = context.relative(me);
  const int mine = tree.subtree(v);
  const bool inner = v != 0 && mine > 1;
  if (inner) co_yield scratch_area(0, v, mine, root);
  const auto where = [=](int first, int count) -> BlockList {
    if (v == 0) return wrapped(input(0), root + first, count, context.size);
    return inner ? scratch(0, first, count) : output(me);
  };
  Schedule down = on_ranks(scatter_down(tree, v, where), [context](int rank) { return context.absolute(rank); });
  while (const Step* step = down.next()) co_yield *step;
  if (inner) co_yield copy(scratch(0, v), output(me));
}

}  // namespace

Schedule scatter_binomial(Context context) { return over_radix(context, 2); }

Schedule scatter_k_nomial(Context context) { return over_radix(context, context.parameter(0, 4, 2)); }

}  // namespace tutti

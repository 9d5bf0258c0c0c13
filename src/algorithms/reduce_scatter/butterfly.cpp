/// Partners exchange the halves that the other one's side of the butterfly wants, nearest partners first, which keeps
/// the order of operands; ranks beyond a power of two have folded into their neighbours.  What a rank ends with is
/// another group's blocks (its number with bits reversed), so one more message brings each home:
/// T = (lg p + 1) alpha + m (beta + gamma) for powers of two, and at most 2 alpha + m (beta + gamma) more otherwise.
/// Träff 2005, "An Improved Algorithm for (Non-commutative) Reduce-Scatter with an Application".
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/combinators/from_input.hpp"
#include "algorithms/combinators/reverse.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {
namespace {

Schedule halve_in_place(Context context) {
  const Fold fold{context.size};
  const Halving halving{fold.size()};
  const Rank me = context.me;
  const int number = fold.folded(me), held = halving.part(number);
  // Whose block this rank ends with, and who with this rank's: reversing bits twice changes nothing.
  const Rank home = fold.unfolded(held);
  const Blocks everything = output(0, context.size), arrived = scratch(0, 0, context.size);
  if (fold.idle(me)) {
    co_yield send(fold.carrier_of(me), everything);
    co_yield round_mark();
    co_yield receive(home, output(me));
    co_yield round_mark();
    co_return;
  }
  if (fold.first(number) < me) {
    co_yield scratch_area(0, 0, context.size);
    co_yield receive(me - 1, arrived);
    co_yield reduce_left(arrived, everything);
    co_yield round_mark();
  }
  Schedule halves = on_groups(reversed_reducing(number, allgather_halved(number, halving), 1), fold);
  halves = with_slots_from(1, std::move(halves));
  while (const Step* step = halves.next()) co_yield *step;
  if (home != me) {
    co_yield send(home, output(home));
    co_yield receive(home, output(me));
    co_yield round_mark();
  }
  for (Rank owner = fold.first(held); owner < home; ++owner) {
    co_yield send(owner, output(owner));
    co_yield round_mark();
  }
}

}  // namespace

Schedule reduce_scatter_butterfly(Context context) { return from_input(context, halve_in_place(context)); }

}  // namespace tutti

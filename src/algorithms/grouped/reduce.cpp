/// Reduction inside the groups, then between the leaders: T = T_inner(p/G) + T_outer(G), in rank order where both keep
/// it, since groups are runs of ranks.  An allreduce goes on with a broadcast inside the groups.
#include "algorithms/combinators/turns.hpp"
#include "algorithms/grouped/grouping.hpp"

namespace tutti {
namespace {

Schedule reduced(const Composition& composition, Context context, bool spread) {
  const Grouping grouping(composition, context);
  Turns turns(0);
  Schedule inner = turns.take(before, grouping.inside(before));
  while (const Step* step = inner.next()) co_yield *step;
  if (grouping.leads()) {
    Schedule outer = turns.take(between, grouping.among_leaders());
    while (const Step* step = outer.next()) co_yield *step;
  }
  if (!spread) co_return;
  Schedule bcast = turns.take(after, grouping.inside(after));
  while (const Step* step = bcast.next()) co_yield *step;
}

}  // namespace

Schedule reduce_in_groups(const Composition& composition, Context context) {
  return reduced(composition, context, false);
}

Schedule allreduce_in_groups(const Composition& composition, Context context) {
  return reduced(composition, context, true);
}

}  // namespace tutti

/// Every group gathers its blocks at its leader, the leaders gather the groups', and broadcast them all inside:
/// T = T_gather(p/G) + T_outer(G) + T_bcast(p/G), in place.
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/combinators/on_runs.hpp"
#include "algorithms/combinators/turns.hpp"
#include "algorithms/grouped/grouping.hpp"

namespace tutti {

Schedule allgather_in_groups(const Composition& composition, Context context) {
  const Grouping grouping(composition, context);
  Turns turns(0);
  Schedule gather = turns.take(before, on_runs(grouping.inside(before), grouping.members()));
  while (const Step* step = gather.next()) co_yield *step;
  if (grouping.leads()) {
    Schedule outer = turns.take(between, on_runs(grouping.among_leaders(), grouping.starts()));
    while (const Step* step = outer.next()) co_yield *step;
  }
  Schedule bcast = turns.take(after, on_row(grouping.inside(after), context.size));
  while (const Step* step = bcast.next()) co_yield *step;
}

}  // namespace tutti

/// Broadcast between the leaders, then inside the groups: T = T_outer(G) + T_inner(p/G).  For a chain,
/// (G + p/G - 2)(alpha + m beta), least at G = sqrt(p); a binomial tree's cost does not change.  Hasanov et al.,
/// equations 8 to 17.
#include "algorithms/combinators/turns.hpp"
#include "algorithms/grouped/grouping.hpp"

namespace tutti {

Schedule bcast_in_groups(const Composition& composition, Context context) {
  const Grouping grouping(composition, context);
  Turns turns(0);
  if (grouping.leads()) {
    Schedule outer = turns.take(between, grouping.among_leaders());
    while (const Step* step = outer.next()) co_yield *step;
  }
  Schedule inner = turns.take(after, grouping.inside(after));
  while (const Step* step = inner.next()) co_yield *step;
}

}  // namespace tutti

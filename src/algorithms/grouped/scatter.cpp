/// The root sends every leader the blocks of its group, which scatters them: T = T_outer(G) + T_inner(p/G).  Leaders
/// keep scratch for the blocks of their groups.  A gather is the same backwards.
#include "algorithms/combinators/on_runs.hpp"
#include "algorithms/combinators/reverse.hpp"
#include "algorithms/combinators/turns.hpp"
#include "algorithms/grouped/grouping.hpp"

namespace tutti {
namespace {

Schedule scatter(const Composition& composition, Context context, Schedule (*forward)(Schedule)) {
  const Grouping grouping(composition, context);
  const bool keeps = grouping.leads() && !grouping.with_root() && !grouping.alone();
  Turns turns(1);
  if (keeps) co_yield scratch_area(0, grouping.first(), grouping.size());
  if (grouping.leads()) {
    Schedule outer = on_runs(forward(grouping.among_leaders()), grouping.starts());
    outer = turns.take(between, std::move(outer), in_input, keeps ? in_scratch(0) : in_output);
    while (const Step* step = outer.next()) co_yield *step;
  }
  Schedule inner = on_runs(forward(grouping.inside(after)), grouping.members());
  inner = turns.take(after, std::move(inner), keeps ? in_scratch(0) : in_input, in_output);
  while (const Step* step = inner.next()) co_yield *step;
  if (keeps) co_yield copy(scratch(0, context.me), output(context.me));
}

}  // namespace

Schedule scatter_in_groups(const Composition& composition, Context context) {
  return scatter(composition, context, [](Schedule part) { return part; });
}

Schedule gather_in_groups(const Composition& composition, Context context) {
  return reversed(scatter(composition, context, reversed));
}

}  // namespace tutti

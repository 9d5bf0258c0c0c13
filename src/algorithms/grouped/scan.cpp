/// Prefixes inside the groups; between the groups' last ranks, which lead them, an exscan of the groups' sums; then
/// each leader broadcasts inside what comes before its group, and every rank adds that on the left: T = T_inner(p/G) +
/// T_exscan(G) + T_bcast(p/G) + m gamma, in rank order.
#include "algorithms/combinators/turns.hpp"
#include "algorithms/grouped/grouping.hpp"

namespace tutti {
namespace {

constexpr int earlier = 0, sum = 1;  // slots: of all groups before, and of the own group

/// The ranks of this group learn the sum of earlier groups, and add it to their prefixes.
Schedule add_earlier(const Grouping& grouping, Turns& turns, bool has_prefix) {
  const Place place = has_prefix ? in_scratch(earlier) : in_output;
  Schedule bcast = turns.take(after, grouping.inside(after), place, place);
  while (const Step* step = bcast.next()) co_yield *step;
  if (has_prefix) co_yield reduce_left(scratch(earlier, 0), output(0));
}

}  // namespace

Schedule scan_in_groups(const Composition& composition, Context context) {
  const Grouping grouping(composition, context, true);
  Turns turns(1);
  Schedule inner = turns.take(before, grouping.inside(before));
  while (const Step* step = inner.next()) co_yield *step;
  if (grouping.group() > 0) co_yield scratch_area(earlier, 0, 1);
  if (grouping.leads()) {
    Schedule outer = turns.take(between, grouping.among_leaders(), in_output, in_scratch(earlier));
    while (const Step* step = outer.next()) co_yield *step;
  }
  if (grouping.group() == 0) co_return;
  Schedule rest = add_earlier(grouping, turns, true);
  while (const Step* step = rest.next()) co_yield *step;
}

Schedule exscan_in_groups(const Composition& composition, Context context) {
  const Grouping grouping(composition, context, true);
  const bool has_prefix = context.me > grouping.first();  // the first rank of a group gets earlier groups' sum alone
  const bool gives = grouping.leads() && has_prefix && grouping.groups() > 1;
  Turns turns(2);
  Schedule inner = turns.take(before, grouping.inside(before), in_input, in_output);
  while (const Step* step = inner.next()) co_yield *step;
  if (grouping.group() > 0 && has_prefix) co_yield scratch_area(earlier, 0, 1);
  if (gives) {
    co_yield scratch_area(sum, 0, 1);
    co_yield copy(input(0), scratch(sum, 0));
    co_yield reduce_left(output(0), scratch(sum, 0));
  }
  if (grouping.leads()) {
    Schedule outer = turns.take(between, grouping.among_leaders(), gives ? in_scratch(sum) : in_input,
                                has_prefix ? in_scratch(earlier) : in_output);
    while (const Step* step = outer.next()) co_yield *step;
  }
  if (grouping.group() == 0) co_return;
  Schedule rest = add_earlier(grouping, turns, has_prefix);
  while (const Step* step = rest.next()) co_yield *step;
}

}  // namespace tutti

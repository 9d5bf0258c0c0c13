/// Every group reduces all blocks to its leader, the leaders reduce and scatter the groups' blocks among themselves,
/// and each scatters its group's inside: T = T_reduce(p/G) + T_outer(G) + T_scatter(p/G).
///
/// Whoever combines copies its contribution, since the input may not be written; a leaf sends it as it lies.
#include <algorithm>

#include "algorithms/combinators/combinators.hpp"
#include "algorithms/combinators/on_runs.hpp"
#include "algorithms/combinators/turns.hpp"
#include "algorithms/grouped/grouping.hpp"
#include "analysis/program.hpp"

namespace tutti {
namespace {

constexpr int row = 0, result = 1;  // slots: what is combined, and what comes out for the group

bool combines(const Program& reduction) {
  return std::any_of(reduction.begin(), reduction.end(), [](const Step& step) {
    return std::holds_alternative<Reduce>(step) || received(step) != nullptr;
  });
}

}  // namespace

Schedule reduce_scatter_in_groups(const Composition& composition, Context context) {
  const Grouping grouping(composition, context);
  const Rank me = context.me, first = grouping.first();
  const int members = grouping.size();
  const bool leads = grouping.leads(), alone = grouping.alone();
  Turns turns(2);
  Program reduction = program(on_row(grouping.inside(before), context.size));
  const bool keeps = combines(reduction);
  if (keeps) co_yield scratch_area(row, 0, context.size);
  if (keeps) co_yield copy(input(0, context.size), scratch(row, 0, context.size));
  const Place combined = keeps ? in_scratch(row) : in_input;
  Schedule inner = turns.take(before, schedule_of(std::move(reduction)), in_input, combined);
  while (const Step* step = inner.next()) co_yield *step;
  if (leads) {
    if (!alone) co_yield scratch_area(result, first, members);
    if (!alone) co_yield copy(scratch(row, first, members), scratch(result, first, members));
    Schedule outer = on_runs(grouping.among_leaders(), grouping.starts());
    outer = turns.take(between, std::move(outer), combined, alone ? in_output : in_scratch(result));
    while (const Step* step = outer.next()) co_yield *step;
  }
  Schedule scatter = on_runs(grouping.inside(after), grouping.members());
  scatter = turns.take(after, std::move(scatter), in_scratch(result), in_output);
  while (const Step* step = scatter.next()) co_yield *step;
  if (leads && !alone) co_yield copy(scratch(result, me), output(me));
}

}  // namespace tutti

/// Groups of M = 1, 2, 4, … ranks exchange what they have combined with the neighbouring group, for all blocks that are
/// still wanted there: T = lg p alpha + (lg p - 2(p-1)/p + lg p/p) m (beta + gamma) for powers of two, at most 2 lg p
/// rounds otherwise, with the subtree correction (patterns/doubling.hpp).  Neighbours first: order is kept.
/// Thakur & Gropp 2002, 4.4, who also send the blocks of the partner's own group, of which it wants but its own:
/// lg p - (p-1)/p times m.
#include "algorithms/combinators/from_input.hpp"
#include "patterns/doubling.hpp"

namespace tutti {
namespace {

/// The end of the higher blocks that the rank is to pass on in later steps: an incomplete group's only if, by then, one
/// of its group will have a partner there that has heard from it.
Rank end_passed_on(const DoublingStep& step) {
  for (int group = 2 * step.group; group < step.size; group *= 2) {
    const DoublingStep later{step.size, group, step.me};
    if (later.corrected()) return later.other() + step.me % (2 * step.group) < step.size ? step.size : later.other();
  }
  return step.size;
}

/// What a message of this step holds: `first`, …, its receiver's, and the blocks of ranks beyond both groups.
BlockList wanted(const DoublingStep& step, Blocks like, Rank first, int count) {
  BlockList runs;
  const auto add = [&](Rank begin, Rank end) {
    like.first = begin, like.count = end - begin;
    if (begin < end) runs.add(like);
  };
  add(0, step.both());
  add(first, first + count);
  add(step.both() + 2 * step.group, end_passed_on(step));
  return runs;
}

Schedule double_in_place(Context context) {
  const Rank me = context.me;
  if (context.size > 1) co_yield scratch_area(0, 0, context.size);
  for (int group = 1; group < context.size; group *= 2) {
    const DoublingStep step{context.size, group, me}, partner{context.size, group, step.partner()};
    // What is passed on in a corrected group serves all of it.
    const auto to = [&](const DoublingStep& end, Blocks like) {
      return end.corrected() ? wanted(end, like, end.own(), group) : wanted(end, like, end.me, 1);
    };
    const BlockList arrived = to(step, scratch(0, 0));
    if (step.meets()) {
      co_yield send(step.partner(), to(partner, output(0)));
      co_yield receive(step.partner(), arrived);
    }
    for (int distance = step.corrected() ? group / 2 : 0; distance > 0; distance /= 2) {
      co_yield round_mark();
      if (step.passes_on(distance)) co_yield send(me + distance, arrived);
      if (step.gets(distance)) co_yield receive(me - distance, arrived);
    }
    if (step.meets() || step.corrected()) {
      const BlockList kept = wanted(step, output(0), me, 1);
      for (Blocks run : kept) {
        const Blocks into = run;
        run.buffer = Buffer::scratch;
        co_yield Reduce{run, into, step.partner() < me};
      }
    }
    co_yield round_mark();
  }
}

}  // namespace

Schedule reduce_scatter_recursive_doubling(Context context) { return from_input(context, double_in_place(context)); }

}  // namespace tutti

/// Groups of M = 1, 2, 4, … ranks exchange all they hold with the neighbouring group:
/// T = lg p alpha + (p-1)/p m beta for powers of two; at most 2 lg p rounds otherwise, with the subtree correction
/// (patterns/doubling.hpp).  Thakur & Gropp 2002, 4.2.
#include "core/schedule.hpp"
#include "patterns/doubling.hpp"

namespace tutti {

Schedule allgather_recursive_doubling(Context context) {
  const Rank me = context.me;
  for (int group = 1; group < context.size; group *= 2) {
    const DoublingStep step{context.size, group, me};
    const Blocks held = output(step.own(), step.members(step.own()));
    const Blocks theirs = output(step.other(), step.members(step.other()));
    if (step.meets()) {
      co_yield send(step.partner(), held);
      co_yield receive(step.partner(), theirs);
    }
    co_yield round_mark();
    for (int distance = step.corrected() ? group / 2 : 0; distance > 0; distance /= 2) {
      if (step.passes_on(distance))
        co_yield send(me + distance, theirs);
      else if (step.gets(distance))
        co_yield receive(me - distance, theirs);
      co_yield round_mark();
    }
  }
}

}  // namespace tutti

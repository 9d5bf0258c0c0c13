/// Partners exchange the result of their groups; the higher one also adds it to its prefix:
/// T = lg p (alpha + m beta) + 2 lg p m gamma, for any p, in rank order.  Named, but not
/// given, in Thakur & Gropp 2002; as in MPICH.
#include "core/schedule.hpp"

namespace tutti {

Schedule scan_recursive_doubling(Context context) {
  const Rank me = context.me;
  if (context.size == 1) co_return;
  const Blocks prefix = output(0), group = scratch(0, 0), arrived = scratch(1, 0);
  co_yield scratch_area(0, 0, 1);
  co_yield scratch_area(1, 0, 1);
  co_yield copy(prefix, group);
  for (int distance = 1; distance < context.size; distance *= 2) {
    const Rank partner = me ^ distance;
    if (partner < context.size) {
      co_yield send(partner, group);
      co_yield receive(partner, arrived);
      if (partner < me) co_yield reduce_left(arrived, prefix);
      co_yield partner < me ? reduce_left(arrived, group) : reduce_right(arrived, group);
    }
    co_yield round_mark();
  }
}

Schedule exscan_recursive_doubling(Context context) {
  const Rank me = context.me;
  if (context.size == 1) co_return;
  const Blocks prefix = output(0), group = scratch(0, 0), arrived = scratch(1, 0);
  co_yield scratch_area(0, 0, 1);
  co_yield scratch_area(1, 0, 1);
  co_yield copy(input(0), group);
  bool begun = false;  // the prefix is empty until the first lower partner
  for (int distance = 1; distance < context.size; distance *= 2) {
    const Rank partner = me ^ distance;
    if (partner < context.size) {
      const bool opens = partner < me && !begun;
      const Blocks into = opens ? prefix : arrived;
      co_yield send(partner, group);
      co_yield receive(partner, into);
      if (partner < me && begun) co_yield reduce_left(arrived, prefix);
      co_yield partner < me ? reduce_left(into, group) : reduce_right(into, group);
      begun = begun || opens;
    }
    co_yield round_mark();
  }
}

}  // namespace tutti

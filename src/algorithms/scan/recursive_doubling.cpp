/// Partners exchange the results of their groups; the higher one also adds the lower's to its prefix:
/// T = lg p (alpha + m beta) + 2 lg p m gamma at most, for any p, in rank order.  Named, but not given, in Thakur &
/// Gropp 2002; as in MPICH, without the messages and sums that nobody needs any more.
#include "core/schedule.hpp"

namespace tutti {
namespace {

/// Whether anybody still needs what `rank` has of its group of that size: where a group is the lower one of a pair,
/// the ranks of the upper one need its result; from there on it is known to the partner at the same place, if p goes
/// that far.
bool needed(Rank rank, int group, int size) {
  for (int wider = group; wider < size; wider *= 2)
    if ((rank & wider) == 0 && (rank & -wider) + wider + rank % group < size) return true;
  return false;
}

/// The rank's `own` contribution is its group's result at first; `begun`: it is in the prefix already.
Schedule exchange(Context context, Blocks own, bool begun) {
  const Rank me = context.me;
  const int size = context.size;
  const Blocks prefix = output(0), group = scratch(0, 0), arrived = scratch(1, 0);
  if (size == 1) co_return;
  co_yield scratch_area(0, 0, 1);
  co_yield scratch_area(1, 0, 1);
  if (needed(me, 1, size)) co_yield copy(own, group);
  for (int distance = 1; distance < size; distance *= 2) {
    const Rank partner = me ^ distance;
    const bool meets = partner < size, lower = partner < me, keeps = needed(me, 2 * distance, size);
    if (meets && (!lower || needed(partner, 2 * distance, size))) co_yield send(partner, group);
    if (meets && (lower || keeps)) {
      const Blocks into = lower && !begun ? prefix : arrived;
      co_yield receive(partner, into);
      if (lower && begun) co_yield reduce_left(arrived, prefix);
      if (keeps) co_yield lower ? reduce_left(into, group) : reduce_right(into, group);
      begun = begun || lower;
    }
    co_yield round_mark();
  }
}

}  // namespace

Schedule scan_recursive_doubling(Context context) { return exchange(context, output(0), true); }

Schedule exscan_recursive_doubling(Context context) { return exchange(context, input(0), false); }

}  // namespace tutti

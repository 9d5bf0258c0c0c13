/// Distances 1, 2, 3, 6, 12, …: what a rank holds is the sum of the 0, 1, 3, 6, 12, … ranks before it, and only the
/// second message adds the sender's own contribution: T = ceil(lg(p-1) + lg 4/3) (alpha + m beta + m gamma), in rank
/// order; one round less than the shift by one and a scan.  Träff 2025 (arXiv 2507.04785).
#include "core/schedule.hpp"

namespace tutti {

Schedule exscan_doubling_123(Context context) {
  const Rank me = context.me;
  const Blocks sum = output(0), arrived = scratch(0, 0), longer = scratch(1, 0);
  if (me > 1) co_yield scratch_area(0, 0, 1);
  if (me > 0 && me + 2 < context.size) co_yield scratch_area(1, 0, 1);

  if (me + 1 < context.size) co_yield send(me + 1, input(0));
  if (me > 0) co_yield receive(me - 1, sum);
  co_yield round_mark();

  for (int distance = 2; distance < context.size; distance = distance == 2 ? 3 : 2 * distance) {
    const bool second = distance == 2, sends = me + distance < context.size && (me > 0 || second);
    if (second && sends && me > 0) {
      co_yield copy(input(0), longer);
      co_yield reduce_left(sum, longer);
    }
    if (sends) co_yield send(me + distance, !second ? sum : me > 0 ? longer : input(0));
    if (me - distance >= (second ? 0 : 1)) {
      co_yield receive(me - distance, arrived);
      co_yield reduce_left(arrived, sum);
    }
    co_yield round_mark();
  }
}

}  // namespace tutti

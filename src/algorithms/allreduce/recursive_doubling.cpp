/// Partners exchange all they have and both combine it, the lower rank's operand on the left, so that all ranks get
/// the same bits: T = lg p (alpha + m (beta + gamma)).  Thakur, Rabenseifner & Gropp 2005.
#include "algorithms/combinators/combinators.hpp"

namespace tutti {
namespace {

Schedule doubling(Context context) {
  const Rank me = context.me;
  co_yield scratch_area(0, 0, 1);
  for (int distance = 1; distance < context.size; distance *= 2) {
    const Rank partner = me ^ distance;
    co_yield send(partner, output(0));
    co_yield receive(partner, scratch(0, 0));
    co_yield partner < me ? reduce_left(scratch(0, 0), output(0)) : reduce_right(scratch(0, 0), output(0));
    co_yield round_mark();
  }
}

}  // namespace

Schedule allreduce_recursive_doubling(Context context) { return folded(context, doubling); }

}  // namespace tutti

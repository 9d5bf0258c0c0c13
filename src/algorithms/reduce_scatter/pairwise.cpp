/// In round i every rank sends the one i ahead its contribution to that one's block:
/// T = (p-1)(alpha + m/p (beta + gamma)).  Thakur & Gropp 2002, 4.4.
///
/// Contributions arrive from the ranks me-1, …, 0, p-1, …, me+1.  The lower ones are combined into the output and the
/// higher ones aside, each from the left, and joined at the end: the order of operands is kept at the price of one
/// more block of scratch.
#include "core/schedule.hpp"
#include "patterns/ring.hpp"

namespace tutti {

Schedule reduce_scatter_pairwise(Context context) {
  const Ring ring{context.size};
  const Rank me = context.me, last = context.size - 1;
  const Blocks arrived = scratch(0, me), higher = scratch(1, me);
  if (me > 0 || last > 1) co_yield scratch_area(0, me, 1);
  if (me < last) co_yield scratch_area(1, me, 1);
  for (int distance = 1; distance < context.size; ++distance) {
    const Rank to = ring.ahead(me, distance), from = ring.behind(me, distance);
    const bool opens_higher = from == last;
    co_yield send(to, input(to));
    co_yield receive(from, opens_higher ? higher : arrived);
    if (!opens_higher) co_yield reduce_left(arrived, from < me ? output(me) : higher);
    co_yield round_mark();
  }
  if (me < last) co_yield reduce_right(higher, output(me));
}

}  // namespace tutti

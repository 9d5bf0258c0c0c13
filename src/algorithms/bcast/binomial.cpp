/// Whoever holds the vector sends it on, furthest child first: T = lg p (alpha + m beta).  Thakur & Gropp 2002, 4.3
/// ("minimum spanning tree").
#include "patterns/binomial.hpp"

#include "core/schedule.hpp"

namespace tutti {

Schedule bcast_binomial(Context context) {
  const BinomialTree tree{context.size};
  const int v = context.relative(context.me);
  for (int distance = tree.furthest(); distance > 0; distance /= 2) {
    if (tree.parent_at(v, distance))
      co_yield send(context.absolute(v + distance), output(0));
    else if (tree.child_at(v, distance))
      co_yield receive(context.absolute(v - distance), output(0));
    co_yield round_mark();
  }
}

}  // namespace tutti

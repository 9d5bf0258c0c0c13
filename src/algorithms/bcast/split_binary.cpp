/// One half of the vector is pipelined down the one half of a binary tree, the other half down the other; then every
/// rank swaps with its twin: T = (2 lg(p+1) + X - 4)(alpha + m/X beta) + alpha + m/2 beta, in X segments.
/// Hasanov et al., equations 7 and 17; the tree is Open MPI's, so that odd ranks have the first half, and v + 1 is the
/// twin of an odd v.  The last rank of an even number has none: the root sends it the second half.
#include "algorithms/phases/trees.hpp"

namespace tutti {

Schedule bcast_split_binary(Context context) {
  const int size = context.size, each = (context.parameter(0, 8) + 1) / 2;  // segments of a half
  const Rank v = context.relative(context.me);
  const TreePlace place = absolute(context, BinaryTree{size}.place(v));
  const auto segment = [each](int half, int i, int parts) { return part(output(0), half * each + i, 2 * each, parts); };
  const auto half_of = [](Rank rank) { return rank % 2 == 1 ? 0 : 1; };
  for (int i = 0; i < each; ++i) {
    if (v > 0) co_yield receive(place.parent, segment(half_of(v), i, 1));
    for (const Rank child : place.children) {
      co_yield send(child, segment(v > 0 ? half_of(v) : half_of(context.relative(child)), i, 1));
      co_yield round_mark();
    }
    if (place.children.empty()) co_yield round_mark();
  }
  const Rank twin = v % 2 == 1 ? v + 1 : v - 1;
  if (v > 0 && twin < size) {
    co_yield send(context.absolute(twin), segment(half_of(v), 0, each));
    co_yield receive(context.absolute(twin), segment(half_of(twin), 0, each));
  } else if (v > 0) {
    co_yield receive(context.root, segment(1, 0, each));
  } else if (size % 2 == 0) {
    co_yield send(context.absolute(size - 1), segment(1, 0, each));
  }
  co_yield round_mark();
}

}  // namespace tutti

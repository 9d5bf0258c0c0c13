/// Down a binary tree, two children a rank: T = 2 (lg(p+1) - 1)(alpha + m beta) for complete trees through one port;
/// Hasanov et al., equation 4, count half of it, both children at once.
///
/// In X segments: T = 2 (X + lg(p+1) - 2)(alpha + m/X beta).
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/phases/trees.hpp"

namespace tutti {
namespace {

TreePlace place(const Context& context) {
  return absolute(context, BinaryTree{context.size}.place(context.relative(context.me)));
}

}  // namespace

Schedule bcast_binary(Context context) { return bcast_down(place(context)); }

Schedule bcast_pipelined_binary(Context context) { return bcast_down(place(context), context.parameter(0, 8)); }

}  // namespace tutti

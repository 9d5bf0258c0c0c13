/// Up a binary tree in X segments, two children a rank: T = 2 (X + lg(p+1) - 2)(alpha + m/X (beta + gamma)) for
/// complete trees through one port.  The broadcast backwards; scratch for two segments of each child.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/combinators/reverse.hpp"

namespace tutti {

Schedule reduce_binary(Context context) { return reversed_reducing(context.me, bcast_pipelined_binary(context), 4); }

}  // namespace tutti

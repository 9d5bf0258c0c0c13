/// PAT backwards: near ranks first, message by message, then far ones with everything aggregated:
/// T = (lg A + 2^q/A - 1) alpha + (p-1)/p m (beta + gamma), for any p.  The operator must commute.  Jeaugey 2025.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/combinators/from_input.hpp"
#include "algorithms/combinators/reverse.hpp"

namespace tutti {

Schedule reduce_scatter_pat(Context context) {
  return from_input(context, reversed_reducing(context.me, allgather_pat(context)));
}

}  // namespace tutti

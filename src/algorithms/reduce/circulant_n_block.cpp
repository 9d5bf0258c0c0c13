/// The broadcast backwards: T = (n - 1 + lg p)(alpha + m/n (beta + gamma)), for any p.  The operator must commute.
/// Träff, arXiv 2407.18004.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/combinators/reverse.hpp"

namespace tutti {

Schedule reduce_circulant_n_block(Context context) {
  return reversed_reducing(context.me, bcast_circulant_n_block(context));
}

}  // namespace tutti

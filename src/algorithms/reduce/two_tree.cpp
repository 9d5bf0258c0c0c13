/// The broadcast backwards: T = (2 lg p + n)(alpha + m/n (beta + gamma)) at most, in n segments.  Inner ranks of the
/// second tree are not in rank order for every p: the operator must commute.  Sanders, Speck & Träff 2009.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/combinators/reverse.hpp"

namespace tutti {

Schedule reduce_two_tree(Context context) { return reversed_reducing(context.me, bcast_two_tree(context)); }

}  // namespace tutti

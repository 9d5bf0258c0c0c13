/// The binomial gather, sizes travelling with the blocks: T = lg p alpha + ((p-1)/p m + 8p) beta.  Thakur & Gropp 2002,
/// 4.1, where it is left open, since no rank but the root knows how large others' blocks are.
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {

Schedule gatherv_binomial(Context context) { return sized(context, gather_binomial(context)); }

}  // namespace tutti

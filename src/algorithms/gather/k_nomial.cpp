/// Each subtree gathers its run of blocks, nearest child first, and hands it up: the k-nomial scatter backwards,
/// T = (k-1) log_k p alpha + (p-1)/p m beta through one port; the binomial one, T = lg p alpha + (p-1)/p m beta.
/// Thakur & Gropp 2002, 4.1.
#include "algorithms/combinators/reverse.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {

Schedule gather_binomial(Context context) { return reversed(scatter_binomial(context)); }

Schedule gather_k_nomial(Context context) { return reversed(scatter_k_nomial(context)); }

}  // namespace tutti

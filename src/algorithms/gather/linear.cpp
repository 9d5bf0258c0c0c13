/// Every rank sends its block to the root, which has `window` of them under way: the linear scatter backwards,
/// T = (p-1) alpha + (p-1)/p m beta.  Thakur & Gropp 2002, 4.1.
#include "algorithms/combinators/reverse.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {

Schedule gather_linear(Context context) { return reversed(scatter_linear(context)); }

}  // namespace tutti

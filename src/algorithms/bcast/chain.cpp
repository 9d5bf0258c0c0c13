/// Every rank passes the vector on to the next one: T = (p-1)(alpha + m beta).  Hasanov et al., equation 2.
///
/// In X segments, each passed on as soon as it is there: T = (X + p-2)(alpha + m/X beta), least at
/// X = sqrt((p-2) m beta / alpha).  Equation 3.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/phases/trees.hpp"

namespace tutti {
namespace {

TreePlace place(const Context& context) {
  return absolute(context, Chain{context.size}.place(context.relative(context.me)));
}

}  // namespace

Schedule bcast_chain(Context context) { return bcast_down(place(context)); }

Schedule bcast_pipelined_chain(Context context) { return bcast_down(place(context), context.parameter(0, 8)); }

}  // namespace tutti

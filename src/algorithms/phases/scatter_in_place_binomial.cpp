/// Root 0; T = lg p alpha + (p-1)/p m beta.  Thakur & Gropp 2002, 4.3.
#include "algorithms/phases/phases.hpp"
#include "algorithms/phases/trees.hpp"

namespace tutti {

Schedule scatter_in_place_binomial(Context context) {
  return scatter_down({context.size}, context.me, [](int first, int count) { return output(first, count); });
}

}  // namespace tutti

/// Van de Geijn: the vector in p parts, scattered down a binomial tree, then gathered round the ring:
/// T = (lg p + p-1) alpha + 2 (p-1)/p m beta.  Thakur & Gropp 2002, 4.3; Hasanov et al., equation 5.
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {

Schedule bcast_scatter_ring_allgather(Context context) {
  const Context relative{context.relative(context.me), context.size, 0, {}};
  Schedule parts = then(scatter_in_place_binomial(relative), allgather_ring(relative));
  return on_ranks(on_parts(std::move(parts), context.size), [context](int v) { return context.absolute(v); });
}

}  // namespace tutti

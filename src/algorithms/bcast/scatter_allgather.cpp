/// Van de Geijn: the vector in p parts, scattered down a binomial tree, then gathered on all ranks.
///
/// Round the ring: T = (lg p + p-1) alpha + 2 (p-1)/p m beta.  Hasanov et al., equation 5.
/// By recursive doubling, with its correction where p is no power of two: T = 2 lg p alpha + 2 (p-1)/p m beta.
/// Thakur & Gropp 2002, 4.3.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {
namespace {

Schedule scatter_then(Context context, Schedule (*allgather)(Context)) {
  const Context relative{context.relative(context.me), context.size, 0, {}};
  Schedule parts = then(scatter_in_place_binomial(relative), allgather(relative));
  return on_ranks(on_parts(std::move(parts), context.size), [context](int v) { return context.absolute(v); });
}

}  // namespace

Schedule bcast_scatter_ring_allgather(Context context) { return scatter_then(context, allgather_ring); }

Schedule bcast_scatter_recursive_doubling_allgather(Context context) {
  return scatter_then(context, allgather_recursive_doubling);
}

}  // namespace tutti

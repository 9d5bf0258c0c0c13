/// The vector in p parts, each in X/p segments: the first segments are reduced round the ring, then the second ones, …,
/// with scratch for two segments; last, whole parts are gathered round the ring:
/// T = (ceil(X/p) + 1)(p-1) alpha + 2 (p-1)/p m beta + (p-1)/p m gamma, of which gamma hides behind beta.  The operator
/// must commute.  Open MPI's "segmented ring".
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/combinators/renamed.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {
namespace {

/// The same steps on one vector in `size` times `each` parts: owner i becomes `count` of them from its `first`.
Schedule on_segments(Schedule inner, int size, int each, int first, int count) {
  const auto segments = [=](auto row) {
    row.part = row.first * each + first, row.parts = count, row.of = size * each;
    row.first = 0;
    return row;
  };
  return renamed(std::move(inner), {.peer = {}, .blocks = segments, .area = segments});
}

}  // namespace

Schedule allreduce_segmented_ring(Context context) {
  const int size = context.size, each = (context.parameter(0, 2 * size) + size - 1) / size;
  for (int segment = 0; segment < each; ++segment) {
    Schedule reduction = on_segments(reduce_scatter_in_place_ring(context), size, each, segment, 1);
    reduction = with_slots_from(segment % 2, std::move(reduction));
    while (const Step* step = reduction.next())
      if (segment < 2 || !std::holds_alternative<Area>(*step)) co_yield *step;
  }
  Schedule gather = on_segments(allgather_ring(context), size, each, 0, each);
  while (const Step* step = gather.next()) co_yield *step;
}

}  // namespace tutti

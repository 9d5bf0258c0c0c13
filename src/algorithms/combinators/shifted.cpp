#include "algorithms/combinators/shifted.hpp"

#include "algorithms/combinators/combinators.hpp"

namespace tutti {

Schedule shifted(Context context, Schedule (*scan)(Context)) {
  const Rank me = context.me;
  if (me + 1 < context.size) co_yield send(me + 1, input(0));
  if (me > 0) co_yield receive(me - 1, output(0));
  co_yield round_mark();
  if (me == 0) co_return;
  Schedule rest = on_ranks(scan({me - 1, context.size - 1, 0, context.parameters}), [](int rank) { return rank + 1; });
  while (const Step* step = rest.next()) co_yield *step;
}

}  // namespace tutti

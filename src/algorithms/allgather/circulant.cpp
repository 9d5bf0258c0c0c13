/// Bruck's growing run, along the skips ceil(p/2), ceil(p/4), …, 1 backwards, so that messages stay more even where p
/// is no power of two: T = lg p alpha + (p-1)/p m beta, for any p.  Träff 2024, "Optimal, Non-pipelined Reduce-scatter
/// and Allreduce Algorithms".
#include "core/schedule.hpp"
#include "patterns/power.hpp"
#include "patterns/ring.hpp"

namespace tutti {

Schedule allgather_circulant(Context context) {
  const Ring ring{context.size};
  const Rank me = context.me;
  const auto skip = [&](int halvings) { return ((context.size - 1) >> halvings) + 1; };
  for (int halvings = ceil_log2(context.size); halvings > 0; --halvings) {
    const int held = skip(halvings), count = skip(halvings - 1) - held;
    co_yield send(ring.behind(me, held), wrapped(output(0), me, count, context.size));
    co_yield receive(ring.ahead(me, held), wrapped(output(0), me + held, count, context.size));
    co_yield round_mark();
  }
}

}  // namespace tutti

/// Bruck's growing run, over the skips of a circulant graph (patterns/circulant.hpp) instead of powers of two, so that
/// messages are more even where p is no power of two: T = lg p alpha + (p-1)/p m beta, for any p.  Träff 2024,
/// arXiv 2410.14234.
#include "patterns/circulant.hpp"

#include "algorithms/allgather/allgather.hpp"

namespace tutti {

Schedule allgather_circulant(Context context) {
  const CirculantGraph graph(context.size);
  const Rank me = context.me;
  for (int k = 0; k < graph.rounds(); ++k) {
    const int held = graph.skip(k), count = graph.skip(k + 1) - held;
    co_yield send(graph.behind(me, k), wrapped(output(0), me, count, context.size));
    co_yield receive(graph.ahead(me, k), wrapped(output(0), me + held, count, context.size));
    co_yield round_mark();
  }
}

}  // namespace tutti

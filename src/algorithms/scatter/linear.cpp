/// The root sends every rank its block, with `window` of them under way: T = (p-1) alpha + (p-1)/p m beta.  Thakur &
/// Gropp 2002, 4.1, also for the v-form: nobody but the root needs to know how large the blocks are.
#include "algorithms/phases/phases.hpp"

namespace tutti {

Schedule scatter_linear(Context context) {
  const int window = context.parameter(0, 32);
  if (context.me != context.root) {
    co_yield receive(context.root, output(context.me));
    co_yield round_mark();
    co_return;
  }
  for (int v = 1; v < context.size; ++v) {
    const Rank rank = context.absolute(v);
    co_yield send(rank, input(rank));
    if (v % window == 0 || v == context.size - 1) co_yield fence();
  }
}

}  // namespace tutti

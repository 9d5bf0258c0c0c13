/// The root, which alone knows how large the blocks are, sends every rank its own: T = (p-1) alpha + (p-1)/p m beta.
/// Thakur & Gropp 2002, 4.1 (the v-form).
#include "core/schedule.hpp"

namespace tutti {

Schedule scatter_linear(Context context) {
  for (int v = 1; v < context.size; ++v) {
    const Rank rank = context.absolute(v);
    if (context.me == context.root) co_yield send(rank, input(rank));
    if (context.me == rank) co_yield receive(context.root, output(rank));
    co_yield round_mark();
  }
}

}  // namespace tutti

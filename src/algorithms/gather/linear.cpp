/// Every rank sends its block to the root, which alone knows how large they are: T = (p-1) alpha + (p-1)/p m beta.
/// Thakur & Gropp 2002, 4.1 (the v-form).
#include "core/schedule.hpp"

namespace tutti {

Schedule gather_linear(Context context) {
  for (int v = 1; v < context.size; ++v) {
    const Rank rank = context.absolute(v);
    if (context.me == context.root) co_yield receive(rank, output(rank));
    if (context.me == rank) co_yield send(context.root, input(rank));
    co_yield round_mark();
  }
}

}  // namespace tutti

/// All ranks tell rank 0 that they are here; then it tells them all so, one after the other: T = 2 (p-1) alpha.
#include "core/schedule.hpp"

namespace tutti {

Schedule barrier_linear(Context context) {
  const Rank me = context.me;
  for (Rank rank = 1; rank < context.size; ++rank) {
    if (me == 0) co_yield receive(rank, token(rank));
    if (me == rank) co_yield send(0, token(rank));
    co_yield round_mark();
  }
  for (Rank rank = 1; rank < context.size; ++rank) {
    if (me == 0) co_yield send(rank, token(0, context.size));
    if (me == rank) co_yield receive(0, token(0));
    co_yield round_mark();
  }
}

}  // namespace tutti

/// A token goes round the ring to learn that all are here, and round again to tell them: T = (2p-1) alpha, the last
/// hop home being left out.  Open MPI has it with that hop.
#include "core/schedule.hpp"
#include "patterns/ring.hpp"

namespace tutti {

Schedule barrier_double_ring(Context context) {
  const Ring ring{context.size};
  const Rank me = context.me, last = context.size - 1;
  if (last == 0) co_return;
  int heard = 1;
  for (int lap = 0; lap < 2; ++lap) {
    if (me > 0) co_yield receive(ring.previous(me), token(heard++));
    if (lap == 0 || me < last) co_yield send(ring.next(me), token(0, heard));
    if (lap == 0 && me == 0) co_yield receive(last, token(heard++));
    co_yield round_mark();
  }
}

}  // namespace tutti

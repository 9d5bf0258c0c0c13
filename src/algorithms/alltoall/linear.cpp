/// Every rank exchanges blocks with rank 0, then with rank 1, and so on, so that all meet at the same one:
/// T = (2p-3)(alpha + m/p beta) through one port.  What MPICH 1.2.4 did; Thakur & Gropp 2002, 4.5.
#include "core/schedule.hpp"

namespace tutti {

Schedule alltoall_linear(Context context) {
  for (Rank rank = 0; rank < context.size; ++rank) {
    if (rank == context.me) continue;
    co_yield send(rank, input(rank));
    co_yield receive(rank, output(rank));
    co_yield round_mark();
  }
}

}  // namespace tutti

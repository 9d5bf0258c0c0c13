/// Polling takes no simulated time, except that each MPI_Test advances it by a sleep that SMPI invents (`smpi/test`).
/// So a rank does not poll while there is other work, and then blocks.
#include "runtime/wire/pending_requests.hpp"

#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {

void end(MPI_Request& request, Backoff) { require(pmpi.Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait"); }

int Requests::test() { return 0; }

/// One at a time: SMPI's MPI_Waitsome tests the others when one has ended.
int Requests::wait(Backoff&) {
  int ended = MPI_UNDEFINED;
  require(pmpi.Waitany(count_, requests_.data(), &ended, statuses_.data()), "MPI_Waitany");
  indices_[0] = ended;
  return ended == MPI_UNDEFINED ? 0 : 1;
}

}  // namespace tutti::runtime

/// Simulated time stands still while a rank looks for messages, and each MPI_Test puts it forward by a sleep that SMPI
/// invents (`smpi/test`).  So nothing is looked for while there is other work, and then the rank blocks.
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

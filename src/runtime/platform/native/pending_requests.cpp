#include "runtime/wire/pending_requests.hpp"

#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/requests/motion.hpp"

namespace tutti::runtime {

namespace {

/// Others may wait for a collective that this rank has begun, and that needs the MPI: where no hook moves it, it moves
/// here.
void in_vain(Backoff& patience) {
  motion::move_if_any();
  patience.fruitless();
}

}  // namespace

void end(MPI_Request& request, Backoff patience) {
  for (int done = 0;; in_vain(patience)) {
    require(pmpi.Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return;
  }
}

int Requests::wait(Backoff& patience) {
  const int ended = test();
  if (ended > 0)
    patience.found();
  else
    in_vain(patience);
  return ended;
}

int Requests::test() {
  if (count_ == 1) {  // the common case, and cheaper
    int flag = 0;
    require(pmpi.Test(requests_.data(), &flag, statuses_.data()), "MPI_Test");
    indices_[0] = 0;
    return flag ? 1 : 0;
  }
  int ended = 0;
  const int code = pmpi.Testsome(count_, requests_.data(), &ended, indices_.data(), statuses_.data());
  if (code == MPI_ERR_IN_STATUS)
    for (int i = 0; i < ended; ++i) require(statuses_[static_cast<std::size_t>(i)].MPI_ERROR, "MPI_Testsome");
  require(code, "MPI_Testsome");
  return ended;
}

}  // namespace tutti::runtime

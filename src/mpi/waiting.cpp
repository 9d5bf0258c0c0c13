#include "mpi/waiting.hpp"

#include "mpi/errors.hpp"
#include "mpi/pmpi.hpp"

namespace tutti::mpi {

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

void Requests::compact(int ended) {
  if (ended == 0) return;
  for (int i = 0; i < ended; ++i) places_[slot(i)] = -1;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count_); ++i)
    if (places_[i] >= 0) requests_[kept] = requests_[i], places_[kept] = places_[i], ++kept;
  count_ = static_cast<int>(kept);
}

void Requests::abandon(std::uint64_t receives) noexcept {
  for (std::size_t i = 0; i < static_cast<std::size_t>(count_); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) continue;
    if (receives >> places_[i] & 1) pmpi.Cancel(&requests_[i]);
    pmpi.Request_free(&requests_[i]);
  }
  count_ = 0;
}

}  // namespace tutti::mpi

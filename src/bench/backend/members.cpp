#include "bench/backend/members.hpp"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace tutti::bench {

namespace {

constexpr int tag = 17;
constexpr useconds_t nap = 2000;

int world_rank() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int world_size() {
  int size = 1;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

}  // namespace

Members::Members(std::span<const int> on) : on_(on) {
  if (on.empty()) {
    comm_ = MPI_COMM_WORLD;
    return;
  }
  if (const int most = *std::max_element(on.begin(), on.end()); most >= world_size())
    throw std::invalid_argument("--on: there is no rank " + std::to_string(most) + " among " +
                                std::to_string(world_size()));
  const auto place = std::find(on.begin(), on.end(), world_rank());
  const int colour = place == on.end() ? MPI_UNDEFINED : 0;
  PMPI_Comm_split(MPI_COMM_WORLD, colour, static_cast<int>(place - on.begin()), &comm_);
}

Members::~Members() {
  if (on_.empty()) return;
  if (comm_ != MPI_COMM_NULL && std::uncaught_exceptions() == 0) PMPI_Comm_free(&comm_);  // all or none come here
  if (world_rank() != on_[0]) return;
  std::vector<MPI_Request> requests;
  for (int rank = 0; rank < world_size(); ++rank)
    if (std::find(on_.begin(), on_.end(), rank) == on_.end())
      PMPI_Isend(nullptr, 0, MPI_BYTE, rank, tag, MPI_COMM_WORLD, &requests.emplace_back());
  PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void Members::rest(int first) {
  MPI_Request over = MPI_REQUEST_NULL;
  PMPI_Irecv(nullptr, 0, MPI_BYTE, first, tag, MPI_COMM_WORLD, &over);
  for (int done = 0; !done; PMPI_Test(&over, &done, MPI_STATUS_IGNORE)) usleep(nap);
}

}  // namespace tutti::bench

#include "smpi/batch.hpp"

#include <algorithm>

#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {
namespace {

/// MPI counts in int; both sides cut by this rule.
constexpr std::size_t longest = std::size_t{1} << 30;

/// Calls piece(offset, length) for each piece of a message.
template <class Piece>
void cut(std::size_t bytes, Piece&& piece) {
  for (std::size_t done = 0; done < bytes; done += longest)
    piece(done, static_cast<int>(std::min(bytes - done, longest)));
}

}  // namespace

void Batch::send(const std::byte* from, std::size_t bytes, int to) {
  cut(bytes, [&](std::size_t offset, int length) {
    require(pmpi.Isend(from + offset, length, MPI_BYTE, to, 0, comm_, &requests_.emplace_back()), "MPI_Isend");
  });
}

void Batch::receive(std::byte* into, std::size_t bytes, int from) {
  cut(bytes, [&](std::size_t offset, int length) {
    require(pmpi.Irecv(into + offset, length, MPI_BYTE, from, 0, comm_, &requests_.emplace_back()), "MPI_Irecv");
  });
}

bool Batch::end() {
  bool fitted = true;
  for (MPI_Request& request : requests_) {
    const int code = pmpi.Wait(&request, MPI_STATUS_IGNORE);
    fitted &= code != MPI_ERR_TRUNCATE;
    if (code != MPI_ERR_TRUNCATE) require(code, "MPI_Wait");
  }
  requests_.clear();
  return fitted;
}

}  // namespace tutti::runtime

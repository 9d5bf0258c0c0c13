#include "runtime/wire/pending_requests.hpp"

#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {

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

}  // namespace tutti::runtime

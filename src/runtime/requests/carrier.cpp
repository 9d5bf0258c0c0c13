#include "runtime/requests/carrier.hpp"

#include <mutex>
#include <vector>

#include "runtime/errors.hpp"
#include "runtime/platform/own_self.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime::carrier {
namespace {

struct Kept {
  std::mutex mutex;
  std::vector<MPI_Request> requests;
  bool closed = false;  ///< MPI_Finalize has begun
};

Kept& kept() {
  static auto& kept = *new Kept;  // outlives every static object
  return kept;
}

}  // namespace

MPI_Request take() {
  {
    const std::lock_guard lock(kept().mutex);
    if (!kept().requests.empty()) {
      const MPI_Request carrier = kept().requests.back();
      kept().requests.pop_back();
      return carrier;
    }
  }
  MPI_Request made = MPI_REQUEST_NULL;
  require(pmpi.Recv_init(nullptr, 0, MPI_BYTE, 0, 0, own_self(), &made), "PMPI_Recv_init");
  return made;
}

void give_back(MPI_Request carrier) noexcept try {
  if (carrier == MPI_REQUEST_NULL) return;
  const std::lock_guard lock(kept().mutex);
  if (!kept().closed) kept().requests.push_back(carrier);
} catch (...) {  // no memory: it is left to MPI_Finalize
}

void drop() noexcept {
  const std::lock_guard lock(kept().mutex);
  for (MPI_Request& request : kept().requests) pmpi.Request_free(&request);
  kept().requests.clear(), kept().closed = true;
}

}  // namespace tutti::runtime::carrier

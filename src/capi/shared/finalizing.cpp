#include "capi/shared/finalizing.hpp"

#include <atomic>

#include "runtime/communicator/state.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::shared {
namespace {

int finalizing(MPI_Comm, int, void*, void*) {
  if (!runtime::finalizing()) runtime::retire_states();  // else the wrapper of MPI_Finalize does
  return MPI_SUCCESS;
}

}  // namespace

/// MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else.
void retire_at_finalize() {
  static std::atomic_flag done = ATOMIC_FLAG_INIT;
  int initialized = 0, keyval = MPI_KEYVAL_INVALID;
  // With sessions alone there is no MPI_Finalize.
  if (runtime::pmpi.Initialized(&initialized) != MPI_SUCCESS || !initialized || done.test_and_set()) return;
  if (runtime::pmpi.Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finalizing, &keyval, nullptr) == MPI_SUCCESS)
    runtime::pmpi.Comm_set_attr(MPI_COMM_SELF, keyval, nullptr);
}

}  // namespace tutti::shared

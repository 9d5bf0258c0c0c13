#include "runtime/platform/own_self.hpp"

#include <atomic>

#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {
namespace {

/// MPI calls are still possible: with sessions alone there is no MPI_COMM_SELF.
bool has_self() {
  int initialized = 0, finalized = 0;
  return pmpi.Initialized(&initialized) == MPI_SUCCESS && initialized && pmpi.Finalized(&finalized) == MPI_SUCCESS &&
         !finalized;
}

}  // namespace

MPI_Comm own_self() {
  static std::atomic<MPI_Comm> kept{MPI_COMM_NULL};
  if (const MPI_Comm known = kept.load(std::memory_order_acquire); known != MPI_COMM_NULL) return known;
  MPI_Comm made = MPI_COMM_NULL, none = MPI_COMM_NULL;
  // Split, not duplicated: a duplicate would run the user's attribute callbacks.
  if (!has_self() || pmpi.Comm_split(MPI_COMM_SELF, 0, 0, &made) != MPI_SUCCESS) return MPI_COMM_NULL;
  pmpi.Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  if (kept.compare_exchange_strong(none, made, std::memory_order_acq_rel)) return made;
  pmpi.Comm_free(&made);  // another thread was first
  return none;
}

MPI_Comm quiet_comm(MPI_Comm users) {
  const MPI_Comm self = own_self();
  return self == MPI_COMM_NULL ? users : self;
}

}  // namespace tutti::runtime

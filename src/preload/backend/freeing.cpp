#include "preload/backend/freeing.hpp"

#include <mpi.h>

#include "preload/wrappers/wrappers.hpp"
#include "runtime/communicator/state.hpp"
#include "runtime/report/shown_communicator.hpp"

namespace tutti::preload {
namespace {

decltype(&MPI_Comm_free) next_free = nullptr;
decltype(&MPI_Comm_disconnect) next_disconnect = nullptr;

int freed(int (*next)(MPI_Comm*), MPI_Comm* comm) {
  if (comm) runtime::forget_origin(*comm);
  runtime::BeingFreed freed(comm ? *comm : MPI_COMM_NULL);
  const int code = next(comm);
  if (code != MPI_SUCCESS) freed.refused();
  return code;
}

int comm_free(MPI_Comm* comm) { return freed(next_free, comm); }
int comm_disconnect(MPI_Comm* comm) { return freed(next_disconnect, comm); }

}  // namespace

void find_freeing(const tutti_loader& loader) {
  find(loader, "MPI_Comm_free", next_free, nullptr);
  find(loader, "MPI_Comm_disconnect", next_disconnect, nullptr);
}

void list_freeing(std::vector<tutti_entry>& entries) {
  list(entries, "MPI_Comm_free", comm_free);
  list(entries, "MPI_Comm_disconnect", comm_disconnect);
}

}  // namespace tutti::preload

#pragma once
/// MPI_Comm_free and MPI_Comm_disconnect: users' delete callbacks may make collectives on the communicator that they
/// free (runtime::BeingFreed).
#include <vector>

#include "preload/loader/backend.h"

namespace tutti::preload {

void find_freeing(const tutti_loader& loader);
void list_freeing(std::vector<tutti_entry>& entries);

}  // namespace tutti::preload

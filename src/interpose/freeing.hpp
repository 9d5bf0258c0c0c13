#pragma once
/// MPI_Comm_free and MPI_Comm_disconnect: users' delete callbacks may make collectives on the communicator that they
/// free (mpi::BeingFreed).
#include <vector>

#include "front/flavour.h"

namespace tutti::interpose {

void find_freeing(const tutti_front& front);
void list_freeing(std::vector<tutti_entry>& entries);

}  // namespace tutti::interpose

#pragma once
/// Where a communicator's ranks are in MPI_COMM_WORLD.
#include <mpi.h>

#include <vector>

namespace tutti::runtime {

/// For each rank of the communicator its rank in MPI_COMM_WORLD, or MPI_UNDEFINED for a process that is not in it;
/// empty where there is no such world (sessions).  Local.  Throws MpiError.
std::vector<int> ranks_in_world(MPI_Comm comm);

}  // namespace tutti::runtime

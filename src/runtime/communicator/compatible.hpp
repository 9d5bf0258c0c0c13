#pragma once
/// What ranks compare before tutti serves them.
#include <mpi.h>

#include <cstdint>

namespace tutti::runtime {

/// Of this library: two that would choose or carry out a call differently differ here.
std::uint64_t build_identity();

/// Whether processes of the communicator are not in MPI_COMM_WORLD.  Each of its processes finds one that is not in its
/// own world.  With sessions alone there is no world.  Throws MpiError.
bool goes_beyond_world(MPI_Comm comm);

}  // namespace tutti::runtime

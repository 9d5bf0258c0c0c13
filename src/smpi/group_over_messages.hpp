#pragma once
/// The node engine where ranks share no memory.
#include <mpi.h>

#include <memory>

#include "shm/group.hpp"

namespace tutti::runtime {

/// A group of all ranks of `comm`, which becomes its own.
std::unique_ptr<shm::ShmGroup> group_over_messages(MPI_Comm comm, int rank, int size);

}  // namespace tutti::runtime

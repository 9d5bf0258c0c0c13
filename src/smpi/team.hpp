#pragma once
/// The node engine where ranks share no memory.
#include <mpi.h>

#include <memory>

#include "node/team.hpp"

namespace tutti::mpi {

/// A team of all ranks of `comm`, which becomes its own.
std::unique_ptr<node::Team> team_over_messages(MPI_Comm comm, int rank, int size);

}  // namespace tutti::mpi

#pragma once
/// The arguments of one rank's call of a collective, in one form for all collectives and all spellings.
#include <mpi.h>

#include <vector>

#include "core/collective.hpp"

namespace tutti::fuzz {

/// What a call says of one of its buffers.  A reduction names count and type once: on the receive side, as does bcast.
struct Side {
  void* buffer = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  std::vector<int> counts;          ///< where the call has one a rank
  std::vector<int> places;          ///< displacements: elements, in alltoallw bytes
  std::vector<MPI_Datatype> types;  ///< alltoallw
};

struct Arguments {
  Collective collective = Collective::barrier;
  Side send, receive;
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
  MPI_Comm comm = MPI_COMM_NULL;
};

}  // namespace tutti::fuzz

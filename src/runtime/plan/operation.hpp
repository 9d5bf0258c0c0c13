#pragma once
/// One intercepted call, as given, in one shape for all collectives and both widths (int and MPI_Count).
#include <mpi.h>

#include <cstdint>

#include "core/contract.hpp"
#include "core/layout.hpp"
#include "runtime/datatype/types.hpp"

namespace tutti::runtime {

/// One side of a call.  Which members count follows from the collective, as in the MPI standard.
struct Side {
  const void* buffer = nullptr;         ///< MPI_IN_PLACE is in Operation::in_place instead
  std::int64_t count = 0;               ///< elements of `type`; per peer where the call says so
  CountView counts{}, displacements{};  ///< v-forms: elements; alltoallw: displacements in bytes
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const MPI_Datatype* types = nullptr;  ///< alltoallw
  const TypeInfo* info = nullptr;       ///< of `type`, from a plan
};

/// The facts of a side's type: from its plan, else queried now.
inline TypeInfo describe(const Side& side, MPI_Comm comm) { return side.info ? *side.info : describe(side.type, comm); }

struct Operation {
  Collective collective = Collective::barrier;
  MPI_Comm comm = MPI_COMM_NULL;
  Rank root = 0;
  Side send{}, receive{};  ///< bcast: `receive` alone; reduce, scan: count and type stand in both
  bool in_place = false;   ///< in that collective's own meaning (scatter: at the root's receive side)
  MPI_Op op = MPI_OP_NULL;
  const shm::Reducer* reducer = nullptr;  ///< of operator and type, from a plan
};

}  // namespace tutti::runtime

#pragma once
/// From a collective's name to the call: one line a collective, so that the timed loop has no decisions in it.
#include <mpi.h>

#include <vector>

#include "bench/flavour/buffers.hpp"
#include "bench/flavour/functions.hpp"
#include "core/collective.hpp"

namespace tutti::bench {

inline constexpr int root = 0;

/// Bytes (MPI_BYTE) where the call moves data; floats and MPI_SUM where it reduces.
struct Arguments {
  MPI_Comm comm = MPI_COMM_NULL;
  int count = 0;  ///< elements: the vector's, or one block's
  std::vector<int> counts,
      displacements;                ///< v- and w-forms, reduce_scatter; in elements, which are bytes in alltoallw
  std::vector<MPI_Datatype> types;  ///< alltoallw
};

using Invoke = void (*)(const Functions&, const Arguments&, Buffers);
Invoke invoker(Collective which);

}  // namespace tutti::bench

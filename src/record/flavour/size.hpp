#pragma once
/// How many bytes a call is about, as this rank knows it.
#include <cstdint>

#include "mpi/operation.hpp"

namespace tutti::record {

/// The side of a call whose type and count mean something on this rank, of those that say what its size is.
const mpi::Side& side_of_size(const mpi::Operation& call, Rank me);

/// Of a vector; of one block where the call's blocks are a peer's; the mean block of the forms whose blocks differ
/// (alltoallv and alltoallw: of those received); reduce_scatter: of the whole vector.
std::int64_t size_of_call(const mpi::Operation& call, Rank me, int ranks);

}  // namespace tutti::record

#pragma once
/// How many bytes a call is about, as this rank knows it.
#include <cstdint>

#include "runtime/plan/operation.hpp"

namespace tutti::record {

/// Of a vector; of one block where the call's blocks are a peer's; the mean block of the forms whose blocks differ
/// (alltoallv and alltoallw: of those received); reduce_scatter: of the whole vector.
std::int64_t size_of_call(const runtime::Operation& call, Rank me, int ranks);

}  // namespace tutti::record

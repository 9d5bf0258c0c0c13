#pragma once
/// Buffers that are the same where MPI says that they must be apart.
#include "core/block.hpp"
#include "runtime/plan/operation.hpp"

namespace tutti::runtime {

/// Whether this rank gives from where it gets: the same buffer in a reduction or an alltoall, its own block's place in
/// a gather, allgather or scatter.  A look at the arguments, which have been found sound so far.
bool aliased(const Operation& call, Rank me);

/// Whether the MPI underneath refuses that.  Some do, for some collectives; then the call is an error on this rank, and
/// the program makes it again.  Asked of the MPI itself, by the same collective on a communicator of this process
/// alone, where one and the same buffer is copied onto itself.
bool refuses_aliases(const Operation& call);

}  // namespace tutti::runtime

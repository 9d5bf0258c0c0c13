#pragma once
/// Buffers that are the same where MPI says that they must be apart.
#include "core/block.hpp"
#include "runtime/plan/operation.hpp"

namespace tutti::runtime {

/// Whether this rank sends from where it receives: the same buffer in a reduction or an alltoall, its own block's place
/// in a gather, allgather or scatter.  The other arguments must be valid.
bool aliased(const Operation& call, Rank me);

/// Whether the MPI underneath refuses that.  Some do, for some collectives; then the call is an error on this rank, and
/// the program makes it again.  Tested by the same collective on a communicator of this process alone, where the buffer
/// is copied onto itself.
bool refuses_aliases(const Operation& call);

}  // namespace tutti::runtime

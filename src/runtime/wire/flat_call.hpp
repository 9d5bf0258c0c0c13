#pragma once
/// Runs one call over messages.  Nothing here decides; `valid_arguments` and `signature_of` are for the dispatch.
#include "algorithms/catalogue.hpp"
#include "runtime/plan/operation.hpp"
#include "runtime/wire/private_comm.hpp"
#include "selection/choice.hpp"

namespace tutti::runtime {

/// Whether the arguments are valid (null types and buffers, negative counts, roots out of range, operators not defined
/// on the type).  If not, this rank passes the call to the MPI underneath, which raises the error as it would have.
/// Called before anything else here.
bool valid_arguments(const Operation& call, int ranks, Rank me);

/// The signature of the call: only what the standard makes equal on all ranks (docs/why.md).
CallSignature signature_of(const Operation& call, int ranks, Rank me);

/// Runs the call by that algorithm.  Every rank of the communicator makes the same calls on it in the same order.
/// Returns an MPI error code (MPI_ERR_NO_MEM without memory for staging or scratch); the caller raises it through the
/// user's error handler.  Never throws.
int execute(const Operation& call, PrivateComm& wire, const Algorithm& algorithm,
            const Parameters& parameters) noexcept;

}  // namespace tutti::runtime

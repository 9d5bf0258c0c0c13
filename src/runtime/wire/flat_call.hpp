#pragma once
/// Carries out one call over messages.  Nothing here decides; `valid_arguments` and `signature_of` serve those who do.
#include "algorithms/catalogue.hpp"
#include "runtime/plan/operation.hpp"
#include "runtime/wire/private_comm.hpp"
#include "selection/choice.hpp"

namespace tutti::runtime {

/// Whether the arguments look valid (null types and buffers, negative counts, roots out of range, operators not defined
/// on the type).  If not, this rank passes the call to the MPI underneath, which raises the error as it would have.
/// To be asked before anything else here.
bool valid_arguments(const Operation& call, int ranks, Rank me);

/// The call as the choice sees it: only what the standard makes equal on all ranks (DESIGN, section 4).
CallSignature signature_of(const Operation& call, int ranks, Rank me);

/// Carries the call out as that algorithm says.  Every rank of the communicator makes the same calls on the wire in
/// the same order.  Returns an MPI error code (MPI_ERR_NO_MEM where staging or scratch cannot be had); the caller
/// raises it through the user's error handler.  Never throws.
int execute(const Operation& call, PrivateComm& wire, const Algorithm& algorithm,
            const Parameters& parameters) noexcept;

}  // namespace tutti::runtime

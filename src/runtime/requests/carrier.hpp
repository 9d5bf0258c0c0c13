#pragma once
/// The MPI's requests that programs hold for ours: persistent receives of nothing, on our own communicator of this
/// process alone (platform/own_self), that are never started.
///
/// A receive that a message of ours completes costs 56 ns with MPICH and 67 with Open MPI, a generalized request 51 and
/// 47; these cost nothing, since making one (about 2 us) is paid once for each request that is outstanding at a time.
/// The price is that every function that takes requests must be intercepted, which persistent requests need anyway.
#include "runtime/requests/request.hpp"

namespace tutti::runtime::carrier {

/// Throws MpiError.
MPI_Request take();
void give_back(MPI_Request carrier) noexcept;
/// Frees those that nobody has.  Before MPI_Finalize.
void drop() noexcept;

}  // namespace tutti::runtime::carrier

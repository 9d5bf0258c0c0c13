#pragma once
/// What others see of a communicator (src/hang): who its members are, and an identity that is the same on all of them.
///
/// The identity follows from the communicator it was made of and the number of that call on it, which is the same on
/// all ranks by the standard.  It does not follow from the order in which collectives come: that differs between ranks
/// just where they hang because they mixed two communicators up.
#include <mpi.h>

#include <cstdint>
#include <string_view>

#include "hang/layout.hpp"

namespace tutti::runtime {

/// At the communicator's first call.  Costs a translation of its group's ranks.
hang::Communicator& show(MPI_Comm comm, int size, bool inter);

/// `made` has come out of that call on `parent`.
void remember_origin(MPI_Comm made, hang::Communicator& parent, hang::Other how, std::string_view name);
/// Its handle may soon be another one's.
void forget_origin(MPI_Comm freed);

}  // namespace tutti::runtime

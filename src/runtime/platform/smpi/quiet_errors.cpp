/// A communicator is one object for all simulated ranks, its error handler included: one rank would take the other's
/// quiet one for the user's, and put it back for good.  So the user's handler stays.
#include "runtime/platform/quiet_errors.hpp"

namespace tutti::runtime {

QuietErrors::QuietErrors(MPI_Comm comm) : comm_(comm) {}

QuietErrors::~QuietErrors() { static_cast<void>(comm_); }

}  // namespace tutti::runtime

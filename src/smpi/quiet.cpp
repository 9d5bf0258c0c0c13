/// A communicator is one object for all simulated ranks, its error handler included: one rank would take the other's
/// quiet one for the user's, and put it back for good.  So the user's handler stays.
#include "mpi/quiet.hpp"

namespace tutti::mpi {

QuietErrors::QuietErrors(MPI_Comm comm) : comm_(comm) {}

QuietErrors::~QuietErrors() { static_cast<void>(comm_); }

}  // namespace tutti::mpi

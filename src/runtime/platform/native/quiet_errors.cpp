#include "runtime/platform/quiet_errors.hpp"

#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime {

QuietErrors::QuietErrors(MPI_Comm comm) : comm_(comm) {
  require(pmpi.Comm_get_errhandler(comm_, &users_), "PMPI_Comm_get_errhandler");
  require(pmpi.Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "PMPI_Comm_set_errhandler");
}

QuietErrors::~QuietErrors() {
  pmpi.Comm_set_errhandler(comm_, users_);
  pmpi.Errhandler_free(&users_);
}

}  // namespace tutti::runtime

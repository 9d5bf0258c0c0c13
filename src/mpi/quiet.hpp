#pragma once
/// Calls on a user's communicator whose failure is no error of the user's.
#include "mpi/errors.hpp"
#include "mpi/pmpi.hpp"

namespace tutti::mpi {

/// Errors of calls on the user's communicator come back as codes while this lives.
class QuietErrors {
 public:
  explicit QuietErrors(MPI_Comm comm) : comm_(comm) {
    require(pmpi.Comm_get_errhandler(comm_, &users_), "PMPI_Comm_get_errhandler");
    require(pmpi.Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "PMPI_Comm_set_errhandler");
  }
  ~QuietErrors() {
    pmpi.Comm_set_errhandler(comm_, users_);
    pmpi.Errhandler_free(&users_);
  }
  QuietErrors(const QuietErrors&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler users_ = MPI_ERRHANDLER_NULL;
};

}  // namespace tutti::mpi

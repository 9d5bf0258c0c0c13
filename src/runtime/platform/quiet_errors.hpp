#pragma once
/// Calls on a user's communicator whose failure is no error of the user's.
#include <mpi.h>

namespace tutti::runtime {

/// Errors of calls on the user's communicator come back as codes while this lives.  Throws MpiError.
class QuietErrors {
 public:
  explicit QuietErrors(MPI_Comm comm);
  ~QuietErrors();
  QuietErrors(const QuietErrors&) = delete;

 private:
  MPI_Comm comm_;
  [[maybe_unused]] MPI_Errhandler users_ = MPI_ERRHANDLER_NULL;
};

}  // namespace tutti::runtime

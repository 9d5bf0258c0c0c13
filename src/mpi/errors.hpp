#pragma once
/// A failed call of the MPI underneath, inside tutti.
#include <mpi.h>

#include <stdexcept>

namespace tutti::mpi {

/// Carries the MPI error code to the C door.
class MpiError : public std::runtime_error {
 public:
  MpiError(int code, const char* function) : std::runtime_error(function), code(code) {}
  int code;
};

/// Throws MpiError unless `code` is MPI_SUCCESS.
inline void require(int code, const char* function) {
  if (code != MPI_SUCCESS) throw MpiError(code, function);
}

}  // namespace tutti::mpi

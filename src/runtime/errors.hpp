#pragma once
/// A failed call of the MPI underneath, inside tutti.
#include <mpi.h>

#include <new>
#include <stdexcept>

namespace tutti::runtime {

/// Whether a call may say success after it has failed: in MPICH, where a handler of the user's has seen the error and
/// has returned.
#ifdef OPEN_MPI
inline constexpr bool handlers_hide_failures = false;
#else
inline constexpr bool handlers_hide_failures = true;
#endif

/// Carries the MPI error code to the C interface.
class MpiError : public std::runtime_error {
 public:
  MpiError(int code, const char* function) : std::runtime_error(function), code(code) {}
  int code;
};

/// Throws MpiError unless `code` is MPI_SUCCESS.
inline void require(int code, const char* function) {
  if (code != MPI_SUCCESS) throw MpiError(code, function);
}

/// In a handler that catches everything: the error code for the caller.
inline int code_of_failure() noexcept {
  try {
    throw;
  } catch (const MpiError& error) {
    return error.code;
  } catch (const std::bad_alloc&) {
    return MPI_ERR_NO_MEM;
  } catch (...) {
    return MPI_ERR_INTERN;
  }
}

}  // namespace tutti::runtime

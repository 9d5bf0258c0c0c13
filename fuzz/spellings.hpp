#pragma once
/// The names that one collective has.  Ranks that meet in a call may each use another one.
#include <string_view>

#include "arguments.hpp"

namespace tutti::fuzz {

enum class Spelling {
  c,             ///< MPI_X
  pmpi,          ///< PMPI_X, called by the program
  wide,          ///< MPI_X_c
  wide_pmpi,     ///< PMPI_X_c
  fortran,       ///< mpi_x_
  fortran_pmpi,  ///< pmpi_x_
  library,       ///< the library's own PMPI_X, past what is preloaded: the reference
};
inline constexpr int drawn_spellings = 6;  ///< all but the last

std::string_view name(Spelling spelling);
/// Makes the call by that name, or by MPI_X where this process has no such name.  Returns the MPI error code.
int make(const Arguments& call, Spelling spelling);

}  // namespace tutti::fuzz

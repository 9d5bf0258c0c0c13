#pragma once
/// Fortran's names of the collectives, called as gfortran does: every argument by its address, the error code last.
#include "arguments.hpp"

namespace tutti::fuzz {

/// The library has them: in itself, or in its Fortran library, which is then loaded.  Wheels have none, but Intel
/// MPI's.
bool has_fortran();
/// mpi_x_, or pmpi_x_.
int make_fortran(const Arguments& call, bool profiling);

}  // namespace tutti::fuzz

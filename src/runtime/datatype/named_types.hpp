#pragma once
/// The MPI's own types, by handle.  Their handles mean the same for ever, so that what is known of them stays.
///
/// Types that every MPI has are in a table with what the standard says about them.  Others (Fortran's sized types, an
/// MPI library's own) are added at their first use: only the MPI library knows what they mean (acceptance.hpp). Reading
/// takes no lock.
#include <mpi.h>

#include "runtime/datatype/types.hpp"

namespace tutti::runtime::named_types {

/// Null for a type that is not in the table.  The facts stay for ever.
const TypeInfo* find(MPI_Datatype type);
/// Whether the MPI underneath has that type under a name of its own.  Asked for types that are not in the table.
bool is_named(MPI_Datatype type);
/// Adds one.  Another thread may have been first: then nothing happens.
void learn(MPI_Datatype type, const TypeInfo& info);

}  // namespace tutti::runtime::named_types

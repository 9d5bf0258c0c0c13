#pragma once
/// Cached facts about users' datatypes, for as long as these live.
///
/// A type's facts are attached to it as an attribute, behind a direct-mapped table from handle to facts. Every MPI
/// gives the handle of a freed type to the next one; the attribute's delete callback erases the key first. Facts go to
/// a free list, never back to the system, so that a stale pointer may be read: its key tells.
#include <mpi.h>

#include "runtime/datatype/types.hpp"

namespace tutti::runtime::known_types {

/// The facts kept for that type, or null.  Valid while the type lives.
const TypeInfo* find(MPI_Datatype type);
/// Keeps them, if the MPI underneath allows it and no other thread is storing.
void keep(MPI_Datatype type, const TypeInfo& info);

}  // namespace tutti::runtime::known_types

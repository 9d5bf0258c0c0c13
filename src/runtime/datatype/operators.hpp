#pragma once
/// MPI's operators, and what tutti needs to know about them.
#include <mpi.h>

#include <optional>
#include <span>

#include "runtime/datatype/types.hpp"
#include "shm/reducer.hpp"

namespace tutti::runtime {

/// One of MPI's own that a collective may use: its handle, our kernels' operator, its name in C.
struct PredefinedOperator {
  MPI_Op handle;
  shm::Operator ours;
  const char* name;
};
std::span<const PredefinedOperator> predefined_operators();

/// The kernel operator of one of MPI's own that a collective may use; nothing for users' operators.
std::optional<shm::Operator> operator_of(MPI_Op op);
inline bool predefined(MPI_Op op) { return operator_of(op).has_value(); }
/// True for predefined operators; users declare theirs.
bool commutative(MPI_Op op);
/// Whether a reduction with them is valid: the MPI underneath accepts that predefined operator on that type, or the
/// operator is a user's; and the type can be used.
bool accepted(MPI_Op op, MPI_Datatype type, const TypeInfo& info);

}  // namespace tutti::runtime

#pragma once
/// MPI's operators, and what tutti needs to know about them.
#include <mpi.h>

#include <optional>

#include "mpi/types.hpp"
#include "node/reducer.hpp"

namespace tutti::mpi {

/// The kernel operator of one of MPI's own that a collective may use; nothing for users' operators.
std::optional<node::Operator> operator_of(MPI_Op op);
inline bool predefined(MPI_Op op) { return operator_of(op).has_value(); }
/// True for predefined operators; users declare theirs.
bool commutative(MPI_Op op);
/// A predefined operator that is defined on that predefined type (MPI 4.1, 6.9.2), or any user's operator.
bool defined_on(MPI_Op op, const TypeInfo& type);

}  // namespace tutti::mpi

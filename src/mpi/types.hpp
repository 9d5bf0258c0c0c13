#pragma once
/// What tutti needs to know about datatypes and operators.
#include <mpi.h>

#include <cstdint>
#include <optional>

#include "node/reducer.hpp"

namespace tutti::mpi {

struct TypeInfo {
  /// What a predefined type holds: tells which operators are valid, and which kernel fits.
  enum class Kind : std::uint8_t { user, integer, floating, complex, logical, byte, pair, character };

  std::int64_t size = 0;    ///< bytes of data
  std::int64_t extent = 0;  ///< bytes from one element to the next
  std::int64_t true_lower = 0, true_extent = 0;
  Kind kind = Kind::user;
  bool predefined = false;
  bool flat = false;  ///< the packed form of n elements is their n * size bytes in memory
  std::optional<node::Element> element;
};

/// Predefined types come from a table that is filled once a process and read without a lock.  Others are asked every
/// time, since a freed type's handle is used again at once.  `comm` reports errors (an uncommitted type).
/// Bytes [0, 64 KiB) of a type are looked at; larger user types count as not flat.  `type` is not MPI_DATATYPE_NULL.
TypeInfo describe(MPI_Datatype type, MPI_Comm comm);

/// One of MPI's own operators that a collective may use.
bool predefined(MPI_Op op);
/// True for predefined operators; users declare theirs.
bool commutative(MPI_Op op);
/// A predefined operator that is defined on that predefined type (MPI 4.1, 6.9.2), or any user's operator.
bool defined_on(MPI_Op op, const TypeInfo& type);

}  // namespace tutti::mpi

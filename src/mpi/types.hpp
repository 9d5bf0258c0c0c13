#pragma once
/// What tutti needs to know about datatypes.
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
  bool flat = false;                     ///< the packed form of n elements is their n * size bytes in memory
  std::optional<node::Element> element;  ///< what its packed form is
};

/// Predefined types come from a table that is filled once a process and read without a lock, others from what hangs on
/// them (known_types.hpp) after the first question.  `comm` reports errors (an uncommitted type).
/// User types larger than 64 KiB count as not flat.  MPI_DATATYPE_NULL, which stands where there are no
/// elements, has no bytes.
TypeInfo describe(MPI_Datatype type, MPI_Comm comm);

/// Bytes of an element of a predefined type that is flat; -1 for every other type.
std::int64_t plain_size(MPI_Datatype type);

/// Bytes of data of one element, without the rest.
std::int64_t size_of(MPI_Datatype type);

}  // namespace tutti::mpi

#pragma once
/// What tutti needs to know about datatypes.
#include <mpi.h>

#include <cstdint>
#include <optional>

#include "shm/reducer.hpp"

namespace tutti::runtime {

struct Answers;  // acceptance.hpp

struct TypeInfo {
  /// The standard's groups of predefined types: they tell which operators are defined, and which kernel fits.
  enum class Kind : std::uint8_t { user, integer, floating, complex, logical, byte, pair, character };

  std::int64_t size = 0;    ///< bytes of data
  std::int64_t extent = 0;  ///< bytes from one element to the next
  std::int64_t true_lower = 0, true_extent = 0;
  Kind kind = Kind::user;
  bool predefined = false;
  bool usable = true;                   ///< false where the MPI underneath refuses it: not committed
  bool flat = false;                    ///< the packed form of n elements is their n * size bytes in memory
  std::optional<shm::Element> element;  ///< what its packed form is
  Answers* answers = nullptr;           ///< the MPI's answers about operators on it, as long as the type lives
};

/// The MPI's own types come from a table that is read without a lock (named_types.hpp), others from their attribute
/// (known_types.hpp) after the first query.  Queries run no error handler of the user's. User types larger than 64 KiB
/// count as not flat.  MPI_DATATYPE_NULL, which stands where there are no elements, has no bytes.
TypeInfo describe(MPI_Datatype type, MPI_Comm comm);

/// Bytes of an element of a predefined type that is flat; -1 for every other type.
std::int64_t plain_size(MPI_Datatype type);

/// Bytes of data of one element, without the rest.
std::int64_t size_of(MPI_Datatype type);

/// Size, extents, and nothing else.
TypeInfo measure(MPI_Datatype type);
/// Neither gaps nor padding; the order of its bytes may still differ.
inline bool lies_packed(const TypeInfo& info) {
  return info.size == info.extent && info.size == info.true_extent && info.true_lower == 0;
}
/// The MPI's error code for a collective of no elements with it.
bool is_committed(MPI_Datatype type);

}  // namespace tutti::runtime

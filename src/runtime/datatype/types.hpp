#pragma once
/// What tutti needs to know about datatypes.
#include <mpi.h>

#include <cstdint>
#include <optional>

#include "shm/reducer.hpp"

namespace tutti::runtime {

struct Answers;  // acceptance.hpp

struct TypeInfo {
  /// What the standard groups predefined types into: tells which operators it defines on them, and which kernel fits.
  enum class Kind : std::uint8_t { user, integer, floating, complex, logical, byte, pair, character };

  std::int64_t size = 0;    ///< bytes of data
  std::int64_t extent = 0;  ///< bytes from one element to the next
  std::int64_t true_lower = 0, true_extent = 0;
  Kind kind = Kind::user;
  bool predefined = false;
  bool usable = true;                   ///< false where the MPI underneath refuses it: not committed
  bool flat = false;                    ///< the packed form of n elements is their n * size bytes in memory
  std::optional<shm::Element> element;  ///< what its packed form is
  Answers* answers = nullptr;           ///< where the MPI's about operators on it are kept, as long as the type lives
};

/// The MPI's own types come from a table that is read without a lock (named_types.hpp), others from what hangs on them
/// (known_types.hpp) after the first question.  The MPI is asked so that no error handler of the user's runs.
/// User types larger than 64 KiB count as not flat.  MPI_DATATYPE_NULL, which stands where there are no elements, has
/// no bytes.
TypeInfo describe(MPI_Datatype type, MPI_Comm comm);

/// Bytes of an element of a predefined type that is flat; -1 for every other type.
std::int64_t plain_size(MPI_Datatype type);

/// Bytes of data of one element, without the rest.
std::int64_t size_of(MPI_Datatype type);

/// Size, extents, and nothing else.
TypeInfo measure(MPI_Datatype type);
/// Neither gap nor padding; the order of its bytes may still be another one.
inline bool lies_packed(const TypeInfo& info) {
  return info.size == info.extent && info.size == info.true_extent && info.true_lower == 0;
}
/// What the MPI underneath says to a collective with it, of which there are no elements.
bool is_committed(MPI_Datatype type);

}  // namespace tutti::runtime

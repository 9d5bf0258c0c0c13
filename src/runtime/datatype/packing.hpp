#pragma once
/// Moving elements of one datatype between a user's buffer and a row of bytes.
#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "runtime/datatype/types.hpp"

namespace tutti::runtime {

/// `start` plus bytes, also where start is MPI_BOTTOM.
inline std::byte* at(const void* start, std::int64_t bytes) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(start) + static_cast<std::uintptr_t>(bytes));
}

/// A datatype as a call uses it.
struct Typed {
  MPI_Datatype type = MPI_BYTE;
  TypeInfo info;
  MPI_Comm comm = MPI_COMM_NULL;  ///< for calls that need one where there is none of our own (own_self.hpp)
};

/// `count` elements at `from` as count * size bytes.  Throws MpiError; std::bad_alloc for one element that is not flat
/// and has more than INT_MAX bytes, which MPI_Pack cannot take.
void pack(const Typed& typed, const void* from, std::int64_t count, std::byte* into);
/// The reverse; no byte outside the type map is touched.
void unpack(const Typed& typed, const std::byte* from, std::int64_t count, void* into);

}  // namespace tutti::runtime

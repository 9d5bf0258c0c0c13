#pragma once
/// MPI_IN_PLACE, which stands in a buffer's argument but is no buffer.
#include <mpi.h>

namespace tutti::preload {

inline bool is_in_place(const void* buffer) { return buffer == MPI_IN_PLACE; }
inline const void* unless_in_place(const void* buffer) { return is_in_place(buffer) ? nullptr : buffer; }

}  // namespace tutti::preload

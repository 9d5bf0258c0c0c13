#pragma once
/// Copying bytes, of which there may be none.
#include <cstddef>
#include <cstring>

namespace tutti::node {

/// Without bytes either address may be null, as MPI's users give it; memcpy may not have it so.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes != 0) std::memcpy(to, from, bytes);
}

}  // namespace tutti::node

#pragma once
/// Flushes data from the caches.
#include <cstddef>

namespace tutti::bench {

/// Out of the caches of all cores, written back to memory: by the processor's instruction for it, line by line.  Where
/// there is none, by reading more than the last-level cache holds.
void flush_from_caches(const void* data, std::size_t bytes);

}  // namespace tutti::bench

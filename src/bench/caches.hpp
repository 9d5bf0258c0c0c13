#pragma once
/// How large the caches are that buffers have to exceed.
#include <cstdint>

namespace tutti::bench {

/// Bytes of all last-level caches of this machine together; a guess of 32 MiB where the kernel tells nothing.
std::int64_t last_level_caches();

}  // namespace tutti::bench

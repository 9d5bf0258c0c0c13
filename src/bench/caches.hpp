#pragma once
/// How large the caches are that buffers have to exceed.
#include <cstddef>
#include <filesystem>

namespace tutti::bench {

/// Bytes of all last-level caches of this machine together, as the kernel states them; a guess of 32 MiB where it does
/// not.  (sysconf says 320 MiB of two processors that share 32.)
std::size_t last_level_caches();

/// The same of a tree like /sys/devices/system/cpu; 0 where it does not say.
std::size_t last_level_caches(const std::filesystem::path& processors);

}  // namespace tutti::bench

#pragma once
/// Copying past the caches, and taking the time of copies.
#include <cstddef>

namespace tutti::shm {

#if defined(__SSE2__)
inline constexpr bool can_go_non_temporal = true;
#else
inline constexpr bool can_go_non_temporal = false;
#endif

/// Whole lines past the caches, what is before and after them through.  All of it is seen before any later store.
/// Where the processor cannot: through the caches.
void copy_non_temporal(std::byte* to, const std::byte* from, std::size_t bytes);

/// Waits for stores that still wait for their lines: only then could a reader have them.
void drain();

/// What is known of a cost (0: nothing) once `found` has been measured.  A time during which another process had the
/// core counts twice what is usual at most.
double smoothed(double known, double found);

}  // namespace tutti::shm

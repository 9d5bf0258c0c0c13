#pragma once
/// Copying by non-temporal stores, and timing copies.
#include <cstddef>

namespace tutti::shm {

#if defined(__SSE2__)
inline constexpr bool can_go_non_temporal = true;
#else
inline constexpr bool can_go_non_temporal = false;
#endif

/// Copies whole lines by non-temporal stores, the ends by cached ones.  All of it is visible before any later store.
/// Processors without such stores use cached ones.
void copy_non_temporal(std::byte* to, const std::byte* from, std::size_t bytes);

/// Waits until stores have completed: only then can a reader have their lines.
void drain();

/// The smoothed cost (0: unknown) after the measurement `found`.  A time that another process disturbed counts at most
/// twice the usual cost.
double smoothed(double known, double found);

}  // namespace tutti::shm

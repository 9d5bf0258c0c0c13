#pragma once
/// Takes the place of src/shm/sync/depth.hpp: rings so short that every second call already reuses a slot.
#include <cstddef>

namespace tutti::shm {

inline constexpr std::size_t slots_depth = TUTTI_RING, lanes_depth = TUTTI_RING;
/// What the clock says would tell states apart that are the same.
inline constexpr bool asks_clock_for_brief = false;

}  // namespace tutti::shm

#pragma once
/// How many slots and how many places of its ring a member has.  In a header of its own, so that
/// tests/shm/interleaving can make the rings short.
#include <cstddef>

namespace tutti::shm {

inline constexpr std::size_t slots_depth = 16, lanes_depth = 8;
/// Whether the policy of short payloads is measured.
inline constexpr bool asks_clock_for_brief = true;

}  // namespace tutti::shm

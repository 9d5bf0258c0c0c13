#pragma once
/// Memory near its owner.
#include <cstddef>

namespace tutti::shm {

/// Moves the pages of [begin, begin + bytes) to this thread's NUMA node, as far as the kernel allows: the creator of a
/// segment has touched all of it by reserving it.  Contents stay.  Page-aligned.  No effect on one node.
void place_on_my_node(std::byte* begin, std::size_t bytes);

/// Takes pages that nobody has written to, from this thread's NUMA node: together, for a fifth of what they take one by
/// one.
void take_pages_here(std::byte* begin, std::size_t bytes);
/// The same for pages that another process has taken, so that reading them is as fast the first time as later.
void map_pages_of_others(std::byte* begin, std::size_t bytes);

}  // namespace tutti::shm

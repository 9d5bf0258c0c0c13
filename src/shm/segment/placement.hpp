#pragma once
/// Memory near its owner.
#include <cstddef>

namespace tutti::shm {

/// Moves the pages of [begin, begin + bytes) to this thread's NUMA node, as far as the kernel allows: the creator of a
/// segment has touched all of it by reserving it.  Contents stay.  Page-aligned.  No effect on one node.
void place_on_my_node(std::byte* begin, std::size_t bytes);

}  // namespace tutti::shm

#pragma once
/// Memory near its owner.
#include <cstddef>

namespace tutti::shm {

/// Moves the pages of [begin, begin + bytes) to the NUMA node this thread runs on, as far as the kernel will: the
/// creator of a segment has reserved, so touched, all of it.  Contents stay.  Page-aligned.  Nothing to do on one node.
void place_on_my_node(std::byte* begin, std::size_t bytes);

}  // namespace tutti::shm

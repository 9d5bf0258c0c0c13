#pragma once
/// Which NUMA nodes memory comes from.
#include <cstddef>

namespace tutti::shm {

/// Interleaves the pages of that mapping, none of which exists yet, over all NUMA nodes that this process may use, so
/// that memory read by ranks on all nodes is not remote for most of them.  No effect with one node, or if the kernel
/// refuses.
void interleave(void* mapping, std::size_t bytes);

}  // namespace tutti::shm

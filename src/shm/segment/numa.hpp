#pragma once
/// Which NUMA nodes memory comes from.
#include <cstddef>

namespace tutti::shm {

/// Pages of that mapping, none of which is there yet, will come from all NUMA nodes that this process may use by turns:
/// what ranks on all of them read is then far for none of them alone.  Where there is one, or the kernel will not,
/// nothing changes.
void interleave(void* mapping, std::size_t bytes);

}  // namespace tutti::shm

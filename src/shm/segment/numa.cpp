#include "shm/segment/numa.hpp"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <climits>
#include <numeric>

namespace tutti::shm {

/// By the system calls themselves: libnuma would be one more library in every process.
void interleave(void* mapping, std::size_t bytes) {
  std::array<unsigned long, 16> nodes{};  // a kernel has 1024 at most
  constexpr unsigned long most = sizeof nodes * CHAR_BIT;
  if (::syscall(SYS_get_mempolicy, nullptr, nodes.data(), most, nullptr, MPOL_F_MEMS_ALLOWED) != 0) return;
  const int number = std::accumulate(nodes.begin(), nodes.end(), 0,
                                     [](int sum, unsigned long word) { return sum + std::popcount(word); });
  if (number > 1) ::syscall(SYS_mbind, mapping, bytes, MPOL_INTERLEAVE, nodes.data(), most, 0);
}

}  // namespace tutti::shm

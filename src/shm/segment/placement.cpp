#include "shm/segment/placement.hpp"

#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

namespace tutti::shm {
namespace {

std::size_t bytes_of_page() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

/// Whether the kernel knows that advice, for all pages that the bytes lie in.
bool advised(std::byte* begin, std::size_t bytes, int advice) {
  const std::size_t before = reinterpret_cast<std::uintptr_t>(begin) % bytes_of_page();
  return ::madvise(begin - before, bytes + before, advice) == 0;
}

}  // namespace

void place_on_my_node(std::byte* begin, std::size_t bytes) {
  const std::size_t page = bytes_of_page();
  // Maps every page; reading suffices, and others may write here already.
  std::vector<void*> pages;
  for (std::size_t at = 0; at < bytes; at += page) {
    static_cast<void>(*static_cast<volatile const std::byte*>(begin + at));
    pages.push_back(begin + at);
  }
  if (::access("/sys/devices/system/node/node1", F_OK) != 0) return;
  unsigned cpu = 0, node = 0;
  if (::getcpu(&cpu, &node) != 0) return;
  const std::vector<int> target(pages.size(), static_cast<int>(node));
  std::vector<int> status(pages.size());
  ::syscall(SYS_move_pages, 0, pages.size(), pages.data(), target.data(), status.data(), MPOL_MF_MOVE);
}

void take_pages_here(std::byte* begin, std::size_t bytes) {
  constexpr int populate_write = 23;  // MADV_POPULATE_WRITE, Linux 5.14
  if (advised(begin, bytes, populate_write)) return;
  for (std::size_t at = 0; at < bytes; at += bytes_of_page()) begin[at] = std::byte{};
}

void map_pages_of_others(std::byte* begin, std::size_t bytes) {
  constexpr int populate_read = 22;  // MADV_POPULATE_READ; without it they are mapped one by one when they are read
  advised(begin, bytes, populate_read);
}

}  // namespace tutti::shm

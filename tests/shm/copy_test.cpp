/// Copies of a few bytes: all of them, and nothing beside them.
#include "shm/copy/copy.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

namespace tutti::shm::test {

TEST_SUITE("node.copy") {
  TEST_CASE("a few bytes at any place") {
    constexpr std::size_t most = 64, room = 16;
    std::vector<unsigned char> from(most + 2 * room), to(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<unsigned char>(i + 1);
    for (std::size_t bytes = 0; bytes <= most; ++bytes)
      for (std::size_t source = 0; source < room; source += 5)
        for (std::size_t target = 0; target < room; target += 3) {
          std::vector<unsigned char> right(to.size(), 0xee);
          to = right;
          std::memcpy(right.data() + target, from.data() + source, bytes);
          copy_few(to.data() + target, from.data() + source, bytes);
          CHECK(to == right);
        }
  }

  TEST_CASE("of nothing the addresses are no matter") {
    copy_few(nullptr, nullptr, 0);
    copy_bytes(nullptr, nullptr, 0);
  }
}

}  // namespace tutti::shm::test

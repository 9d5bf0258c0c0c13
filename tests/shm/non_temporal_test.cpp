/// Non-temporal copies with any alignment of the ends; and times that other processes disturb.
#include "shm/copy/non_temporal.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace tutti::shm::test {

TEST_SUITE("node.past_caches") {
  TEST_CASE("a non-temporal copy copies its bytes, and no others") {
    constexpr std::byte untouched{0xEE};
    std::vector<std::byte> from(4096 + 64), into(4096 + 256);
    for (std::size_t at = 0; at < from.size(); ++at) from[at] = static_cast<std::byte>(at * 7 + at / 251);
    for (const std::size_t source : {0, 1, 33})
      for (const std::size_t shift : {0, 1, 8, 63, 64})
        for (const std::size_t bytes : {0, 1, 63, 64, 65, 127, 128, 1000, 4096 - 1, 4096}) {
          std::ranges::fill(into, untouched);
          const auto start = into.begin() + 64 + static_cast<std::ptrdiff_t>(shift);
          const auto end = start + static_cast<std::ptrdiff_t>(bytes);
          copy_non_temporal(&*start, from.data() + source, bytes);
          CHECK(std::equal(start, end, from.begin() + static_cast<std::ptrdiff_t>(source)));
          CHECK(std::ranges::count(into.begin(), start, untouched) == start - into.begin());
          CHECK(std::ranges::count(end, into.end(), untouched) == into.end() - end);
        }
  }

  TEST_CASE("a cost follows what is found, but not what is found once") {
    CHECK(smoothed(0, 12) == 12);
    CHECK(smoothed(10, 10) == 10);
    CHECK(smoothed(10, 1e9) == 12.5);
    double cost = 10;
    for (int time = 0; time < 20; ++time) cost = smoothed(cost, 40);
    CHECK(cost > 39);
    for (int time = 0; time < 20; ++time) cost = smoothed(cost, 5);
    CHECK(cost < 5.5);
  }
}

}  // namespace tutti::shm::test

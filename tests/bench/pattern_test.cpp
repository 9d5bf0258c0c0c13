#include "bench/pattern.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace tutti::bench;

TEST_CASE_TEMPLATE("what is filled matches, and only that", T, unsigned char, float) {
  const Pattern<T> pattern = contribution<T>();
  for (const int count : {0, 1, 250, 251, 252, 1000}) {
    std::vector<T> block(count + 1, T{7});
    pattern.fill(block.data(), count, 40);
    CHECK(block[count] == T{7});  // nothing behind the block is written
    CHECK(pattern.matches(block.data(), count, 40));
    if (count == 0) continue;
    CHECK_FALSE(pattern.matches(block.data(), count, 41));
    block[count - 1] = static_cast<T>(block[count - 1] == T{0} ? 1 : 0);
    CHECK_FALSE(pattern.matches(block.data(), count, 40));
  }
}

TEST_CASE("segments in the wrong order are noticed") {
  const Pattern<unsigned char> pattern = contribution<unsigned char>();
  std::vector<unsigned char> block(4096);
  pattern.fill(block.data(), 4096, 3);
  std::swap_ranges(block.begin(), block.begin() + 1024, block.begin() + 1024);
  CHECK_FALSE(pattern.matches(block.data(), 4096, 3));
}

TEST_CASE("blocks differ by sender, receiver and repetition") {
  CHECK(phase_of(1, 0, 0) != phase_of(0, 0, 0));
  CHECK(phase_of(0, 1, 0) != phase_of(0, 0, 0));
  CHECK(phase_of(0, 0, 1) != phase_of(0, 0, 0));
  CHECK(phase_of(100000, 100000, std::int64_t{1} << 60) < period);
}

TEST_CASE("a sum of contributions is what adding them gives, in every repetition") {
  const Pattern<float> one = contribution<float>(), sum = sum_of_contributions(2, 9);
  for (const std::int64_t repetition : {0, 5, 300}) {
    std::vector<float> total(600, 0), block(600);
    for (int rank = 2; rank < 9; ++rank) {
      one.fill(block.data(), 600, phase_of(rank, 0, repetition));
      for (int i = 0; i < 600; ++i) total[i] += block[i];
    }
    CHECK(sum.matches(total.data(), 600, phase_of(0, 0, repetition)));
  }
}

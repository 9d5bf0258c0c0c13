#include "bench/batch.hpp"

#include <doctest/doctest.h>

namespace tutti::bench {

namespace {

using Batches = std::array<int, 2>;

Batches of(double first, double second, double skew, bool same_function = false, int most = 64) {
  return batches_for({{first, second}, skew, same_function, most});
}

}  // namespace

TEST_CASE("a batch of short calls lasts 30 us, or 20 times the skew, but not 2 ms") {
  CHECK(of(1e-6, 1e-6, 0) == Batches{32, 32});
  CHECK(of(10e-6, 12e-6, 0) == Batches{4, 4});
  CHECK(of(10e-6, 12e-6, 5e-6) == Batches{16, 16});
  CHECK(of(100e-6, 120e-6, 1e-3) == Batches{32, 32});
  CHECK(of(50e-6, 50e-6, 0) == Batches{1, 1});
  CHECK(of(1e-6, 1e-6, 0, false, 8) == Batches{8, 8});
}

TEST_CASE("the same function is timed in the batches that suit the slower") {
  CHECK(of(1e-6, 20e-6, 0, true) == Batches{2, 2});
}

TEST_CASE("two variants less than eight times apart have one size, within a time slice") {
  CHECK(of(0.8e-3, 1.4e-3, 120e-6) == Batches{2, 2});
  CHECK(of(1.4e-3, 0.8e-3, 120e-6) == Batches{2, 2});
  CHECK(of(0.3e-3, 2.2e-3, 120e-6) == Batches{1, 1});
  CHECK(of(1e-3, 7e-3, 120e-6) == Batches{1, 1});
}

TEST_CASE("far apart, each has its own, as long as half a time slice") {
  CHECK(of(10e-6, 20e-3, 5e-6) == Batches{64, 1});
  CHECK(of(20e-3, 100e-6, 5e-6) == Batches{1, 32});
}

}  // namespace tutti::bench

#include "bench/slowdown.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <stdexcept>

using tutti::bench::slowdown_of;

TEST_CASE("a subject is slowed as the setting says, and no other") {
  CHECK(slowdown_of("bcast") == 0);
  setenv("TUTTI_BENCH_SLOWER", "bcast:0.05,ibcast:2", 1);
  CHECK(slowdown_of("bcast") == 0.05);
  CHECK(slowdown_of("ibcast") == 2);
  CHECK(slowdown_of("reduce") == 0);
  for (const char* wrong : {"bcast", "bcast:", "bcast:x", "bcast:-1"}) {
    setenv("TUTTI_BENCH_SLOWER", wrong, 1);
    CHECK_THROWS_AS(slowdown_of("bcast"), std::invalid_argument);
  }
  unsetenv("TUTTI_BENCH_SLOWER");
}

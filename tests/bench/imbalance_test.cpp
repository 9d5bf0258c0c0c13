#include "bench/imbalance.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/results.hpp"

using namespace tutti::bench;

TEST_CASE("a rank late inside its node spreads the node, and not the nodes") {
  const std::array<int, 4> leaders = {0, 0, 2, 2};
  const Spread spread = spread_of(std::array{10.0, 17.0, 10.5, 10.5}, leaders);
  CHECK(spread.inside == 7);
  CHECK(spread.between == 0.5);
  CHECK(spread.all == 7);
}

TEST_CASE("a node late as a whole spreads the nodes, and not its inside") {
  const std::array<int, 4> cyclic = {0, 1, 0, 1};
  const Spread spread = spread_of(std::array{10.0, 15.0, 10.25, 15.5}, cyclic);
  CHECK(spread.inside == 0.5);
  CHECK(spread.between == 5);
  CHECK(spread.all == 5.5);
}

TEST_CASE("one rank, and one node, have nothing between them") {
  CHECK(spread_of(std::array{3.0}, std::array{0}).all == 0);
  CHECK(spread_of(std::array{3.0, 4.0}, std::array{0, 0}).between == 0);
}

TEST_CASE("an imbalance is one line of JSON, in microseconds") {
  const Imbalance found{2, 1, 1e-3, {{2e-6, 2e-6, 0}, {4e-6, 4e-6, 0}}, {{0, 0}, {2e-6, 4e-6}}};
  const auto object = nlohmann::json::parse(to_json(found));
  CHECK(object["work_us"] == 1000.0);
  CHECK(object["repetitions"] == 2);
  CHECK(object["inside"]["median_us"] == 3.0);
  CHECK(object["between"]["max"] == 0.0);
  CHECK(object["after_first_us"] == nlohmann::json::array({0.0, 3.0}));
}

TEST_CASE("delays are read for the rank that they name") {
  setenv("TUTTI_BENCH_DELAY", "1:0.002,3:1", 1);
  CHECK(delay_of(0) == 0);
  CHECK(delay_of(1) == 0.002);
  CHECK(delay_of(3) == 1);
  for (const char* wrong : {"1", "1:x", "-1:2", "1:-2"}) {
    setenv("TUTTI_BENCH_DELAY", wrong, 1);
    CHECK_THROWS_AS(delay_of(7), std::invalid_argument);
  }
  unsetenv("TUTTI_BENCH_DELAY");
  CHECK(delay_of(1) == 0);
}

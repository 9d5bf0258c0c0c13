#include "bench/waits.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "bench/results.hpp"

using namespace tutti;
using namespace tutti::bench;
using nlohmann::json;

namespace {

constexpr ExitCall reduction{Collective::reduce, 2, 0, 2, 4};

/// Of a reduce to rank 0 in which rank 1 comes first, and stays for so long.
Stay early(std::int64_t repetition, double stays) { return {repetition, {5, 1}, {6, 1 + stays}, {}}; }

Waits some() {
  ExitCosts costs;
  costs.copies[8] = 0.5;
  costs.apart = 0.25;
  costs.reading = 0.125;
  Waits waits(costs);
  waits.add(reduction, early(3, 4));
  waits.add(reduction, early(4, 1));
  waits.add(reduction, early(6, 2));
  return waits;
}

}  // namespace

TEST_CASE("each repetition's avoidable wait is kept, and the usual repetition whole") {
  const Waits waits = some();
  CHECK(waits.avoidable() == std::vector{4.0, 1.0, 2.0});
  CHECK(waits.usual().repetition == 6);
  CHECK(waits.usual().earliest == std::vector{5.5, 1.5});
  CHECK(waits.error() == 0.5);  // the root needs another's arrival
  CHECK(Waits().empty());
}

TEST_CASE("the root of each repetition is its own") {
  Waits waits{ExitCosts{}};
  ExitCall other = reduction;
  waits.add(other, {0, {5, 1}, {5, 5}, {}});
  other.root = 1;
  waits.add(other, {1, {5, 1}, {5, 5}, {}});
  CHECK(waits.avoidable() == std::vector{4.0, 0.0});
}

TEST_CASE("a result says what of the waits was avoidable, and how the usual repetition went") {
  Result result;
  result.what = {Collective::reduce, 8, {ArrivalPattern::first_late, "2x", 2, true}};
  result.seconds = {1e-6};
  result.arrivals.waits = some();
  const json object = json::parse(to_json(result, 2));
  CHECK(object["avoidable_us"] == 2e6);
  CHECK(object["avoidable_error_us"] == 5e5);
  CHECK(object["own_copy_us"] == json{{"8", 5e5}});
  CHECK_FALSE(object.contains("own_switch_us"));
  const json& stay = object["stay"];
  CHECK(stay["repetition"] == 6);
  CHECK(stay["ranks"] == json{0, 1});
  CHECK(stay["arrival_us"] == json{4e6, 0.0});
  CHECK(stay["exit_us"] == json{5e6, 2e6});
  CHECK(stay["earliest_us"] == json{4.5e6, 5e5});
  CHECK(stay["last_arrival_us"] == 4e6);
}

TEST_CASE("of more ranks than a picture has rows, some are told, the first and the last among them") {
  constexpr int ranks = 1000;
  Result result;
  result.what = {Collective::barrier, 0, {ArrivalPattern::random, "2x", 2, true}};
  result.arrivals.waits = Waits{ExitCosts{}};
  const std::vector<double> moments(ranks, 1.0);
  result.arrivals.waits.add({Collective::barrier, ranks}, {0, moments, moments, {}});
  const json stay = json::parse(to_json(result, ranks))["stay"];
  CHECK(stay["ranks"].size() == 256);
  CHECK(stay["ranks"].front() == 0);
  CHECK(stay["ranks"].back() == ranks - 1);
  CHECK(stay["exit_us"].size() == 256);
}

#include "bench/results.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace tutti;
using namespace tutti::bench;
using nlohmann::json;

TEST_CASE("a result is one line of JSON, in microseconds, that says which samples are its own") {
  Result result;
  result.what = {Collective::allreduce, 8};
  result.variant = "tutti";
  result.choice = "node";
  result.cell = 7;
  result.seconds = {1e-6, 3e-6, 2e-6};
  const std::string line = to_json(result, 4);
  CHECK(line.find('\n') == std::string::npos);
  const json object = json::parse(line);
  CHECK(object["event"] == "result");
  CHECK(object["collective"] == "allreduce");
  CHECK(object["size"] == 8);
  CHECK(object["ranks"] == 4);
  CHECK(object["median_us"] == 2.0);
  CHECK(object["repetitions"] == 3);
  CHECK(object["cell"] == 7);
  CHECK(object["timed"] == "slowest_rank");
  result.timed = Timed::first_to_last;
  CHECK(json::parse(to_json(result, 4))["timed"] == "first_to_last");
}

TEST_CASE("a result of skewed ranks says what the skew did") {
  Result result;
  result.what = {Collective::bcast, 8, {ArrivalPattern::last_late, "2x", 2, true}};
  result.seconds = {1e-6};
  result.arrivals = {4e-6, 0.5e-6, {2e-6}, {5e-6}, {4e-6}};
  const json object = json::parse(to_json(result, 4));
  CHECK(object["arrival"] == "last_late 2x");
  CHECK(object["skew_us"] == 4.0);
  CHECK(object["mean_wait_us"] == 2.0);
  CHECK(object["total_us"] == 5.0);
  CHECK(object["imbalance_factor"] == 8.0);
  CHECK(json::parse(start_to_json(result.what, 0, 1))["arrival"] == "last_late 2x");
}

TEST_CASE("a result says what the caches held, where there are buffers") {
  Result result;
  result.seconds = {1e-6};
  for (const char* mode : {"cold", "warm", "fresh", "flushed"}) {
    result.what = parse_case(std::string("bcast:8%") + mode);
    CHECK(json::parse(to_json(result, 4))["cache"] == mode);
  }
  CHECK(json::parse(start_to_json(parse_case("memcpy:8%warm"), 0, 1))["cache"] == "warm");
  CHECK_FALSE(json::parse(start_to_json(parse_case("barrier"), 0, 1)).contains("cache"));
}

TEST_CASE("a version text with bytes that are no UTF-8 still gives valid JSON") {
  Environment environment;
  environment.mpi_version = "Some MPI \xff\n2.0";
  CHECK(json::parse(to_json(environment))["event"] == "environment");
}

TEST_CASE("a bound is its parts one after the other, as they were around the case") {
  const Bound before{{Collective::barrier, 0}, 0, 3, 512, 0, 1e-6, 4e-6};
  const Bound after{{Collective::barrier, 0}, 0, 3, 512, 0, 4e-6, 9e-6};
  CHECK(before.seconds() == doctest::Approx(7e-6));
  const json object = json::parse(to_json(between(before, after)));
  CHECK(object["event"] == "bound");
  CHECK(object["switches"] == 3);
  CHECK(object["switch_us"] == 2.0);
  CHECK(object["copy_us"] == 6.0);
  CHECK(object["bound_us"] == 12.0);
}

TEST_CASE("start and end tell how far a launch is") {
  CHECK(json::parse(start_to_json({Collective::bcast, 64}, 2, 9))["index"] == 2);
  CHECK(json::parse(end_to_json(3))["wrong"] == 3);
}

TEST_CASE("a pattern of messages tells its rounds and bytes") {
  Result result;
  result.what = parse_case("pingpong:8");
  result.seconds = {1e-6};
  result.messages = Messages{2, 16};
  const json object = json::parse(to_json(result, 4));
  CHECK(object["collective"] == "pingpong");
  CHECK(object["rounds"] == 2);
  CHECK(object["volume"] == 16);
}

TEST_CASE("overlap is the part of the shorter one that is hidden") {
  CHECK(overlapped(10, 10, 10) == 1);
  CHECK(overlapped(10, 10, 20) == 0);
  CHECK(overlapped(10, 10, 15) == doctest::Approx(0.5));
  CHECK(overlapped(10, 4, 12) == doctest::Approx(0.5));
  CHECK(overlapped(10, 10, 9) == 1);  // noise
  CHECK(overlapped(10, 10, 25) == 0);
  CHECK(overlapped(10, 0, 10) == 0);
  Result result;
  result.what = parse_case("ibcast:8");
  result.seconds = {10e-6};
  result.overlap = {{16e-6}, {8e-6}};
  const json object = json::parse(to_json(result, 4));
  CHECK(object["collective"] == "ibcast");
  CHECK(object["overlap_percent"] == 25.0);
  CHECK(object["together_us"] == 16.0);
}

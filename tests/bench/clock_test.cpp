#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <stdexcept>

#include "bench/clock/clock_lessons.hpp"
#include "bench/clock/clock_model.hpp"
#include "bench/clock/clock_report.hpp"
#include "bench/clock/clock_source.hpp"
#include "bench/results.hpp"

using namespace tutti::bench;

namespace {

using AllFacts = std::array<ClockFacts, clock_kinds.size()>;

double never() { return 0; }

}  // namespace

TEST_CASE("clocks that are fit advance, and agree on how long something took") {
  const double cycle = tutti::cycles_are_invariant() ? seconds_per_cycle() : 0;
  for (const ClockKind kind : {ClockKind::monotonic_raw, ClockKind::monotonic, ClockKind::cycles}) {
    if (kind == ClockKind::cycles && cycle == 0) continue;
    CAPTURE(name(kind));
    const ClockSource clock(kind, never, cycle), other(ClockKind::monotonic, never, 0);
    const ClockFacts facts = examine(clock);
    CHECK(facts.unfit == 0);
    CHECK(facts.finest() < 1e-4);
    const double begin = clock(), first = other();
    while (other() < first + 0.02) {
    }
    CHECK(clock() - begin == doctest::Approx(other() - first).epsilon(0.01));
  }
}

TEST_CASE("a clock that stands still is unfit") {
  CHECK(examine(ClockSource(ClockKind::mpi_wtime, never, 0)).unfit > 0);
  CHECK(examine(ClockSource(ClockKind::cycles, never, 0)).unfit > 0);
}

TEST_CASE("the finest fit clock is chosen, and of nearly equal ones the one that nobody slews") {
  AllFacts facts;
  facts[0] = {25e-9, 1e-9, 0};
  facts[1] = {24e-9, 1e-9, 0};
  facts[2] = {20e-9, 1e-9, 0};
  facts[3] = {30e-9, 1e-9, 0};
  CHECK(best_of(facts) == ClockKind::monotonic_raw);
  facts[2].cost = 8e-9;
  CHECK(best_of(facts) == ClockKind::cycles);
  facts[2].unfit = 1;
  CHECK(best_of(facts) == ClockKind::monotonic_raw);
  facts[0].step = 1e-3;  // cheap, and too coarse
  CHECK(best_of(facts) == ClockKind::monotonic);
}

TEST_CASE("clocks have names") {
  for (const ClockKind kind : clock_kinds) CHECK(clock_named(name(kind)) == kind);
  CHECK(!clock_named("sundial"));
}

TEST_CASE("a skewed clock is ahead and gains") {
  ClockSource clock(ClockKind::monotonic, never, 0);
  const double begin = clock();
  clock.skew({2, 1e-3});
  CHECK(clock.skewed(begin + 10) == doctest::Approx(begin + 12.01).epsilon(1e-9));
}

TEST_CASE("skews are read for the rank that they name") {
  setenv("TUTTI_BENCH_CLOCK_SKEW", "1:0.5:40,3:-2:-1.5", 1);
  CHECK(!skew_of(0));
  CHECK(skew_of(1)->offset == 0.5);
  CHECK(skew_of(1)->drift == doctest::Approx(40e-6));
  CHECK(skew_of(3)->offset == -2);
  for (const char* wrong : {"1", "1:2", "x:1:1", "1,2,3"}) {
    setenv("TUTTI_BENCH_CLOCK_SKEW", wrong, 1);
    CHECK_THROWS_AS(skew_of(7), std::invalid_argument);
  }
  unsetenv("TUTTI_BENCH_CLOCK_SKEW");
  CHECK(!skew_of(1));
}

TEST_CASE("a fit recovers offset and drift to nanoseconds, though every third message is delayed one way") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> noise(-20e-9, 20e-9), delay(0, 100e-6);
  std::vector<OffsetSample> samples;
  constexpr double start = 123456, drift = 40e-6, offset = 0.25;
  for (int i = 0; i < 200; ++i) {
    const double local = start + i * 0.0025, late = i % 3 == 0 ? delay(random) : 0;
    samples.push_back({local, offset + drift * (local - start) + noise(random) + late / 2, 1e-6 + late});
  }
  const ClockModel model = fit(samples);
  CHECK(std::abs(model.slope - drift) < 0.05e-6);
  CHECK(std::abs(model.slope - drift) < model.slope_within);
  CHECK(model.slope_within < 4.1e-6);  // a round trip of 1 us in 0.5 s says as much alone, on either side
  for (const double later : {0.0, 0.5, 10.0}) {
    const double local = start + later, truth = local - offset - drift * later;
    CHECK(std::abs(model.global(local) - truth) < 0.3e-6);
    CHECK(std::abs(model.local(model.global(local)) - local) < 1e-9);
  }
}

TEST_CASE("a fit says how wrong its drift may be, and it is, where one way grows slower") {
  std::vector<OffsetSample> samples;
  constexpr double drift = -150e-6, trip = 1e-3;
  for (int i = 0; i < 200; ++i) {  // all of a round trip on the way there in the first half, then on the way back
    const double local = i * 0.015, lie = (i < 100 ? -1 : 1) * trip / 2;
    samples.push_back({local, drift * local + lie, i % 2 == 0 ? trip : 2 * trip});
  }
  const ClockModel model = fit(samples);
  CHECK(model.slope - drift > 300e-6);
  CHECK(model.slope - drift == doctest::Approx(model.slope_within).epsilon(0.01));
}

TEST_CASE("a fit takes no drift that two of its samples rule out") {
  std::vector<OffsetSample> samples;
  for (int i = 0; i < 200; ++i) {
    const double local = i * 0.015, lie = (i < 100 ? -1 : 1) * 50e-6;
    samples.push_back({local, lie, i % 2 == 0 ? 100e-6 : 200e-6});
  }
  CHECK(fit(samples).slope > 45e-6);
  for (const std::size_t end : {0, 199}) samples[end] = {samples[end].local, 0, 60e-6};
  const ClockModel model = fit(samples);
  CHECK(model.slope == doctest::Approx(60e-6 / (199 * 0.015)));
  CHECK(model.slope_within >= model.slope);
}

TEST_CASE("one sample gives an offset") {
  const std::array<OffsetSample, 1> one = {{{100, 0.5, 1e-6}}};
  CHECK(fit(one).slope == 0);
  CHECK(std::isinf(fit(one).slope_within));
  CHECK(fit(one).global(100) == 99.5);
}

TEST_CASE("everybody learns once, from one who has learned, in floor(log2 p) + 1 rounds at most") {
  for (const int count : {1, 2, 3, 4, 5, 7, 8, 12, 16, 33, 100}) {
    CAPTURE(count);
    std::vector<std::vector<Lesson>> left;
    for (int place = 0; place < count; ++place) {
      left.push_back(clock_lessons(place, count));
      std::reverse(left.back().begin(), left.back().end());
      CHECK(left.back().size() <= std::floor(std::log2(count)) + 1);
    }
    std::set<int> knowing = {0};
    bool moved = true;
    while (moved) {  // two meet when it is the next lesson of both
      moved = false;
      for (int place = 0; place < count; ++place) {
        if (left[place].empty()) continue;
        const Lesson lesson = left[place].back();
        if (lesson.teacher != place || left[lesson.learner].empty() || left[lesson.learner].back() != lesson) continue;
        CHECK(knowing.count(lesson.teacher) == 1);
        CHECK(knowing.insert(lesson.learner).second);
        left[place].pop_back();
        left[lesson.learner].pop_back();
        moved = true;
      }
    }
    CHECK(static_cast<int>(knowing.size()) == count);
    for (const auto& lessons : left) CHECK(lessons.empty());
  }
}

TEST_CASE("a report is one line of JSON with the largest errors, and what is known only where it is") {
  ClockReport report{"start", "raw", false, true, 25e-9, 0.5, {{1, 0.5, 40e-6, 3e-6, -2e-6, 1e-6, 1.5e-6, 0.1e-6}}};
  report.ranks.push_back({2, 0, 0, 0, 1e-6, 3e-6, 0, 0});
  const auto object = nlohmann::json::parse(to_json(report));
  CHECK(object["event"] == "clock");
  CHECK(object["method"] == "hca3");
  CHECK(object["error_us"] == 2.0);
  CHECK(object["uncertainty_us"] == 3.0);
  CHECK(object["known_us"] == 0.1);
  CHECK(object["ranks"][0]["drift_ppm"] == 40.0);
  CHECK(object["ranks"][0]["drift_within_ppm"] == 3.0);
  report.one_machine = false;
  CHECK(!nlohmann::json::parse(to_json(report)).contains("known_us"));
}

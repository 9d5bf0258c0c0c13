#include "bench/statistics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <random>

using namespace tutti::bench;

TEST_CASE("no samples give an empty summary") { CHECK(summarise({}).count == 0); }

TEST_CASE("median and percentiles of 1..100") {
  std::vector<double> samples(100);
  std::iota(samples.begin(), samples.end(), 1);
  const Summary summary = summarise(samples);
  CHECK(summary.count == 100);
  CHECK(summary.median == doctest::Approx(50.5));
  CHECK(summary.low == 40);   // rank floor((100 - 19.6) / 2)
  CHECK(summary.high == 61);  // rank ceil(1 + (100 + 19.6) / 2)
  CHECK(summary.p90 == doctest::Approx(90.1));
  CHECK(summary.least == 1);
  CHECK(summary.most == 100);
}

TEST_CASE("few samples: the interval is the whole range") {
  const Summary summary = summarise({3, 1, 2});
  CHECK(summary.median == 2);
  CHECK(summary.low == 1);
  CHECK(summary.high == 3);
}

TEST_CASE("an outlier does not move the median") { CHECK(summarise({1, 1, 1, 1, 1e9}).median == 1); }

TEST_CASE("the interval covers the true median about 95 times of 100") {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> skewed(1);
  int covered = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> samples(60);
    for (double& sample : samples) sample = skewed(random);
    const Summary summary = summarise(samples);
    covered += summary.low <= std::log(2.0) && std::log(2.0) <= summary.high;
  }
  CHECK(covered >= 0.94 * trials);
  CHECK(covered <= 0.98 * trials);
}

TEST_CASE("a resolution brings out differences finer than the clock's tick") {
  // True times 141 and 144 ns seen through a clock of 10 ns ticks, at random phases.
  const auto seen = [](double time) {
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> phase(0, 10);
    std::vector<double> samples(2000);
    for (double& sample : samples) {
      const double begin = phase(random);
      sample = 10 * (std::floor((begin + time) / 10) - std::floor(begin / 10));
    }
    return samples;
  };
  CHECK(summarise(seen(141)).median == summarise(seen(144)).median);
  CHECK(summarise(seen(141), 20).median == doctest::Approx(141).epsilon(0.01));
  CHECK(summarise(seen(144), 20).median == doctest::Approx(144).epsilon(0.01));
}

TEST_CASE("narrow needs samples and a small interval") {
  CHECK_FALSE(narrow(summarise({1, 1, 1}), 0.01, 10));
  CHECK(narrow(summarise(std::vector<double>(20, 1.0)), 0.01, 10));
  std::vector<double> wide(20);
  std::iota(wide.begin(), wide.end(), 1);
  CHECK_FALSE(narrow(summarise(wide), 0.01, 10));
}

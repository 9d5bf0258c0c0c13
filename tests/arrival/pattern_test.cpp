#include "arrival/pattern.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>

using namespace tutti;

namespace {

std::vector<double> all(ArrivalPattern pattern, int size, std::int64_t repetition = 0) {
  std::vector<double> found;
  for (int rank = 0; rank < size; ++rank)
    found.push_back(lateness(pattern, {rank, size, rank >= size - 2}, repetition));
  return found;
}

RecordedArrivals read(const std::string& text, int ranks) {
  std::istringstream stream(text);
  return RecordedArrivals::read(stream, "file.txt", ranks);
}

}  // namespace

TEST_CASE("patterns have names") {
  for (const ArrivalPattern pattern : arrival_patterns) CHECK(arrival_named(name(pattern)) == pattern);
  CHECK(!arrival_named("sideways"));
}

TEST_CASE("each pattern makes late whom it says") {
  using V = std::vector<double>;
  CHECK(all(ArrivalPattern::none, 4) == V{0, 0, 0, 0});
  CHECK(all(ArrivalPattern::ascending, 5) == V{0, 0.25, 0.5, 0.75, 1});
  CHECK(all(ArrivalPattern::descending, 5) == V{1, 0.75, 0.5, 0.25, 0});
  CHECK(all(ArrivalPattern::first_late, 3) == V{1, 0, 0});
  CHECK(all(ArrivalPattern::last_late, 3) == V{0, 0, 1});
  CHECK(all(ArrivalPattern::half_late, 5) == V{0, 0, 0, 1, 1});
  CHECK(all(ArrivalPattern::one_node_late, 4) == V{0, 0, 1, 1});
  const V bell = all(ArrivalPattern::bell, 7);
  CHECK(bell[3] == 1);
  CHECK(bell[1] == doctest::Approx(bell[5]));
  CHECK(bell[0] < 0.02);
}

TEST_CASE("random ones lie within the skew, differ from one repetition to the next, and can be had again") {
  double sum = 0;
  for (int repetition = 0; repetition < 100; ++repetition)
    for (const double late : all(ArrivalPattern::random, 10, repetition)) {
      CHECK(late >= 0);
      CHECK(late < 1);
      sum += late;
    }
  CHECK(sum / 1000 == doctest::Approx(0.5).epsilon(0.1));
  CHECK(all(ArrivalPattern::random, 10, 1) != all(ArrivalPattern::random, 10, 2));
  CHECK(all(ArrivalPattern::random, 10, 1) == all(ArrivalPattern::random, 10, 1));
}

TEST_CASE("one rank is never late") {
  for (const ArrivalPattern pattern : {ArrivalPattern::ascending, ArrivalPattern::half_late})
    CHECK(lateness(pattern, {0, 1, false}, 0) == 0);
}

TEST_CASE("recorded arrivals are read line by line, and begin anew") {
  const RecordedArrivals recorded = read("# ranks 0 and 1\n0, 0.5\n\n1e-3 0 # the second\n", 2);
  CHECK(recorded.delay(1, 0) == 0.5);
  CHECK(recorded.delay(0, 1) == 1e-3);
  CHECK(recorded.delay(1, 2) == 0.5);
  CHECK(recorded.longest() == 0.5);
}

TEST_CASE("a recording that cannot be used names file, line and what was expected") {
  CHECK_THROWS_WITH_AS(read("0 0\n0 x\n", 2), "file.txt:2: 'x' is no delay: expected seconds, 0 or more, such as 0.002",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(read("0 0 0\n", 2), "file.txt:1: expected 2 delays, one a rank, and found 3",
                       std::invalid_argument);
  CHECK_THROWS_AS(read("0 -1\n", 2), std::invalid_argument);
  CHECK_THROWS_WITH_AS(read("# nothing\n", 2),
                       "file.txt:2: expected at least one line of delays, one a rank, in seconds",
                       std::invalid_argument);
}

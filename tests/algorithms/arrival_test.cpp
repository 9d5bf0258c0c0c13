#include "algorithms/combinators/arrival.hpp"

#include <doctest/doctest.h>

#include "algorithms/subjects.hpp"
#include "analysis/text.hpp"
#include "analysis/verify.hpp"

using namespace tutti;

TEST_CASE("receives become receives from any, and sends say so") {
  const char* const inner =
      "area any scratch0[0] like output\nreceive scratch0[0] from 3\nreduce output[0] = scratch0[0] (+) output[0]\n"
      "round\nreceive scratch0[0] from 1\nreduce output[0] = output[0] (+) scratch0[0]\nsend output[0] to 2";
  CHECK(to_text(program(in_arrival_order(schedule_of(parse_program(inner))))) ==
        "peers set0 3, 1\narea any scratch0[0] like output\nreceive scratch0[0] from any of set0\n"
        "reduce output[0] = output[0] (+) scratch0[0]\nround\nreceive scratch0[0] from any of set0\n"
        "reduce output[0] = output[0] (+) scratch0[0]\nsend output[0] to 2 in set0\n");
  CHECK_THROWS_AS(program(in_arrival_order(schedule_of({peers(0, {1})}))), std::logic_error);
}

TEST_CASE("no entry that combines by arrival could serve an operator that does not commute") {
  int entries = 0;
  for (const Algorithm& algorithm : catalogue()) {
    if (!algorithm.constraints.by_arrival) continue;
    ++entries;
    CHECK(algorithm.constraints.commutative);
    for (const int size : {3, 4, 7}) {
      Problem problem = subjects_of(algorithm, size).back().problem();
      CHECK_FALSE(verify(problem, algorithm.schedule));
      problem.ordered = true;
      CHECK(verify(problem, algorithm.schedule));
    }
  }
  CHECK(entries == 2);
}

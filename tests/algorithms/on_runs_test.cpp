#include "algorithms/combinators/on_runs.hpp"

#include <doctest/doctest.h>

#include "analysis/program.hpp"
#include "analysis/text.hpp"

using namespace tutti;

namespace {

std::string spread(Program steps, std::vector<int> starts) {
  return to_text(program(on_runs(schedule_of(std::move(steps)), std::move(starts))));
}

}  // namespace

TEST_CASE("owners become runs, parts shares of a run in whole blocks") {
  const std::vector<int> starts{0, 3, 5, 6};
  CHECK(spread({send(1, output(1)), send(1, output(0, 2)), send(1, token(1))}, starts) ==
        "send output[3:5] to 1\nsend output[0:5] to 1\nsend token[1] to 1\n");
  CHECK(spread({send(1, part(output(0), 0, 2)), send(1, part(output(0), 1, 2))}, starts) ==
        "send output[0:2] to 1\nsend output[2] to 1\n");
  CHECK(spread({send(1, part(output(2), 1, 4))}, starts) == "send output[5]{1/4} to 1\n");  // one owner: still a part
  CHECK(spread({send(1, part(output(1), 3, 4))}, starts) == "send output[5:5] to 1\n");     // an empty share
}

TEST_CASE("areas have room for runs, wherever their rows begin") {
  const std::vector<int> starts{0, 3, 5, 6};
  CHECK(spread({scratch_area(0, 1, 2), send(1, scratch(0, 1))}, starts) ==
        "area scratch0[3:6] like output\nsend scratch0[3:5] to 1\n");
  // Beginning with run 1: runs 1, 2, 0 of 2, 1 and 3 owners.
  CHECK(spread({scratch_area(0, 1, 2, 1), send(1, scratch(0, 2))}, starts) ==
        "area scratch0[2:6] rotate 3 like output\nsend scratch0[3:6] to 1\n");
  CHECK(spread({floating_owners(0), floating_owners(1, 2)}, starts) ==
        "area any scratch0[0:3] like output\narea any scratch1[0:5] like output\n");
  CHECK(spread({floating_parts(0, 2), send(1, part(scratch(0, 0), 1, 2))}, {0, 5}) ==
        "area any scratch0[0:3] like output\nsend scratch0[3:5] to 1\n");
}

TEST_CASE("runs may make up a part of the row") {
  const std::vector<int> members{4, 5, 6, 7};
  CHECK(spread({send(1, output(1)), scratch_area(0, 1, 2), send(1, scratch(0, 2))}, members) ==
        "send output[5] to 1\narea scratch0[5:7] like output\nsend scratch0[6] to 1\n");
}

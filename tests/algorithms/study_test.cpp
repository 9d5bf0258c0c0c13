#include "algorithms/study.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace tutti;

TEST_CASE("a schedule reads like the paper") {
  CHECK(schedule_text(known_algorithm(Collective::allgather, "ring"), {0, 3, 0, {}}) ==
        "send output[0] to 1\nreceive output[2] from 2\nround\n"
        "send output[2] to 1\nreceive output[1] from 2\nround\n");
}

TEST_CASE("what cannot be studied is refused in a sentence") {
  const auto complaint = [](std::string_view algorithm, const Context& context) -> std::string {
    try {
      schedule_text(known_algorithm(Collective::bcast, algorithm), context);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  CHECK(complaint("rign", {0, 3, 0, {}}) == "there is no bcast rign");
  CHECK(complaint("binomial", {0, 0, 0, {}}) == "bcast binomial does not run on 0 ranks");
  CHECK(complaint("binomial", {3, 3, 0, {}}) == "ranks go from 0 to 2");
  CHECK(complaint("binomial", {0, 3, 3, {}}) == "ranks go from 0 to 2");
  CHECK(complaint("pipelined_chain", {0, 3, 0, {{-1}}}) == "parameters of bcast pipelined_chain are not negative");
  CHECK_THROWS_AS(schedule_cost(known_algorithm(Collective::bcast, "binomial"), 3, 0, {}, -1), std::invalid_argument);
}

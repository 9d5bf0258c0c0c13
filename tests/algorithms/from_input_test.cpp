#include "algorithms/combinators/from_input.hpp"

#include <doctest/doctest.h>

#include "analysis/text.hpp"

using namespace tutti;

namespace {

std::string translated(Rank me, const char* in_place) {
  return to_text(program(from_input({me, 5, 0, {}}, schedule_of(parse_program(in_place)))));
}

}  // namespace

TEST_CASE("what nothing was added to is sent from the input") {
  CHECK(translated(0, "send output[0:5] to 1\nround\nreceive output[0] from 2\nround") ==
        "send input[0:5] to 1\nround\nreceive output[0] from 2\nround\n");
}

TEST_CASE("the first message for a block arrives in its accumulator, the next ones in scratch") {
  CHECK(translated(0,
                   "area any scratch0[0:2] like output\n"
                   "receive scratch0[2:4] from 1\nreduce output[2:4] = output[2:4] (+) scratch0[2:4]\n"
                   "receive scratch0[3] from 2\nreduce output[3] = output[3] (+) scratch0[3]\n"
                   "send output[1:5] to 3\n") ==
        "area scratch0[2:4] like output\narea any scratch1[0:2] like output\n"
        "receive scratch0[2:4] from 1\nreduce scratch0[2:4] = input[2:4] (+) scratch0[2:4]\n"
        "receive scratch1[3] from 2\nreduce scratch0[3] = scratch0[3] (+) scratch1[3]\n"
        "send input[1], scratch0[2:4], input[4] to 3\n");
}

TEST_CASE("scratch that no message arrives in any more is not asked for") {
  CHECK(translated(0,
                   "area any scratch0[0] like output\nreceive scratch0[2] from 1\n"
                   "reduce output[2] = scratch0[2] (+) output[2]") ==
        "area scratch0[2] like output\nreceive scratch0[2] from 1\nreduce scratch0[2] = scratch0[2] (+) input[2]\n");
}

TEST_CASE("the own block is combined where the result belongs, or brought there") {
  CHECK(translated(2,
                   "area any scratch0[0] like output\nreceive scratch0[2] from 1\n"
                   "reduce output[2] = scratch0[2] (+) output[2]") ==
        "area any scratch1[0] like output\nreceive scratch1[2] from 1\nreduce output[2] = scratch1[2] (+) output[2]\n");
  CHECK(translated(2,
                   "area scratch0[0:5] like output\nreceive scratch0[0:5] from 1\n"
                   "reduce output[0:5] = scratch0[0:5] (+) output[0:5]") ==
        "area scratch0[0:5] like output\nreceive scratch0[0:5] from 1\n"
        "reduce scratch0[0:5] = scratch0[0:5] (+) input[0:5]\ncopy scratch0[2] to output[2]\n");
}

TEST_CASE("what has been added to some blocks only is brought together") {
  CHECK(translated(0,
                   "area scratch0[0:5] like output\nreceive scratch0[1] from 1\n"
                   "reduce output[1] = scratch0[1] (+) output[1]\nreceive scratch0[1:3] from 2\n"
                   "reduce output[1:3] = scratch0[1:3] (+) output[1:3]") ==
        "area scratch0[1:3] like output\narea scratch1[0:5] like output\nreceive scratch0[1] from 1\n"
        "reduce scratch0[1] = scratch0[1] (+) input[1]\nreceive scratch1[1:3] from 2\n"
        "copy input[2] to scratch0[2]\nreduce scratch0[1:3] = scratch1[1:3] (+) scratch0[1:3]\n");
}

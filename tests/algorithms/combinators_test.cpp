#include "algorithms/combinators/combinators.hpp"

#include <doctest/doctest.h>

#include "analysis/text.hpp"

using namespace tutti;

namespace {

Schedule parsed(const char* text) { return schedule_of(parse_program(text)); }

std::string text(Schedule schedule) { return to_text(program(std::move(schedule))); }

}  // namespace

TEST_CASE("one after the other, with scratch of their own") {
  CHECK(text(then(parsed("area scratch1[0] like output\nround"), parsed("area scratch0[0] like input\n"
                                                                        "receive scratch0[0] from 1"))) ==
        "area scratch1[0] like output\nround\narea scratch2[0] like input\nreceive scratch2[0] from 1\n");
}

TEST_CASE("owners become parts of the vector") {
  CHECK(text(on_parts(parsed("area any scratch0[0] like output\nsend output[2:4] to 1\nsend token[3] to 1\n"
                             "reduce output[1] = scratch0[1] (+) output[1]"),
                      5)) ==
        "area any scratch0[0]{0/5} like output\nsend output[0]{2:4/5} to 1\nsend token[3] to 1\n"
        "reduce output[0]{1/5} = scratch0[0]{1/5} (+) output[0]{1/5}\n");
}

TEST_CASE("peers are renumbered") {
  CHECK(text(on_ranks(parsed("send output[0] to 1\nreceive output[0] from 2"), [](int rank) { return 10 * rank; })) ==
        "send output[0] to 10\nreceive output[0] from 20\n");
}

TEST_CASE("messages tell sizes where the receiver cannot know them") {
  const char* const steps =
      "area scratch0[1:3] rotate 2 like output\nreceive scratch0[2] from 2\nsend scratch0[1:3] to 0\n"
      "send scratch0[1] to 3\nsend scratch0[1] to 2\n";
  CHECK(text(sized({1, 5, 0, {}}, parsed(steps))) ==
        "area learned scratch0[1:3] rotate 2 like output\nreceive sized scratch0[2] from 2\n"
        "send scratch0[1:3] to 0\nsend scratch0[1] to 3\nsend sized scratch0[1] to 2\n");
}

TEST_CASE("a folded allgather: a carrier's block stands for its group's") {
  const auto inner = [](Context context) {
    return context.me == 0 ? parsed("send output[0] to 1\nreceive output[1] from 1")
                           : parsed("receive output[0] from 0\nsend output[1] to 0");
  };
  const Fold fold = Fold::to_even(3);
  CHECK(text(folded_blocks({0, 3, 0, {}}, fold, inner)) ==
        "send output[0] to 1\nround\nreceive output[1:3] from 1\nround\n");
  CHECK(text(folded_blocks({1, 3, 0, {}}, fold, inner)) ==
        "receive output[0] from 0\nround\nsend output[0:2] to 2\nreceive output[2] from 2\n"
        "send output[1:3] to 0\nround\n");
  CHECK(text(folded_blocks({2, 3, 0, {}}, fold, inner)) == "receive output[0:2] from 1\nsend output[2] to 1\n");
}

TEST_CASE("ranks beyond a power of two hand over and take back") {
  const auto inner = [](Context context) { return context.me == 0 ? parsed("send output[0] to 1") : parsed(""); };
  CHECK(text(folded({0, 3, 0, {}}, inner)) == "send output[0] to 1\nround\nreceive output[0] from 1\nround\n");
  CHECK(text(folded({1, 3, 0, {}}, inner)) ==
        "area scratch0[0] like output\nreceive scratch0[0] from 0\nreduce output[0] = scratch0[0] (+) output[0]\n"
        "round\nsend output[0] to 2\nsend output[0] to 0\nround\n");
  CHECK(text(folded({0, 2, 0, {}}, inner)) == "send output[0] to 1\n");
}

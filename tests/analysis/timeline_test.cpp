#include "analysis/timeline.hpp"

#include <doctest/doctest.h>

#include "analysis/text.hpp"

using namespace tutti;

namespace {

/// One text a rank.
Timeline laid_out(Collective collective, const std::vector<std::string>& texts) {
  Problem problem;
  problem.collective = collective, problem.size = static_cast<int>(texts.size());
  return lay_out(problem, [&](Context context) {
    return schedule_of(parse_program(texts[static_cast<std::size_t>(context.me)]));
  });
}

/// "0-1: 0 to 2".
std::string brief(const Timeline::Message& message) {
  return std::to_string(message.begin) + ": " + std::to_string(message.from) + " to " + std::to_string(message.to);
}

}  // namespace

TEST_CASE("segments follow each other down a chain") {
  const Timeline found = laid_out(Collective::bcast, {"send output[0]{0/2} to 1\nsend output[0]{1/2} to 1",
                                                      "receive output[0]{0/2} from 0\nsend output[0]{0/2} to 2\n"
                                                      "receive output[0]{1/2} from 0\nsend output[0]{1/2} to 2",
                                                      "receive output[0]{0/2} from 1\nreceive output[0]{1/2} from 1"});
  REQUIRE(found.messages.size() == 4);
  CHECK(brief(found.messages[0]) == "0: 0 to 1");
  CHECK(brief(found.messages[1]) == "1: 0 to 1");  // while rank 1 passes the first one on
  CHECK(brief(found.messages[2]) == "1: 1 to 2");
  CHECK(brief(found.messages[3]) == "2: 1 to 2");
  CHECK(found.end == 3);
  CHECK(found.messages[1].pieces == std::vector{MessagePiece{0, 1, 1, 2, {0}}});
  CHECK(found.messages[1].sent == "output[0]{1/2}");
  CHECK(found.works.empty());
}

TEST_CASE("what has been combined carries all who contributed") {
  const Timeline found =
      laid_out(Collective::reduce, {"area scratch0[0] like output\nreceive scratch0[0] from 1\n"
                                    "reduce output[0] = output[0] (+) scratch0[0]",
                                    "area scratch0[0] like output\nreceive scratch0[0] from 2\n"
                                    "reduce output[0] = output[0] (+) scratch0[0]\nsend output[0] to 0",
                                    "send output[0] to 1"});
  REQUIRE(found.messages.size() == 2);
  CHECK(found.messages[0].pieces == std::vector{MessagePiece{0, 0, 1, 1, {2}}});
  CHECK(found.messages[1].pieces == std::vector{MessagePiece{0, 0, 1, 1, {1, 2}}});
  CHECK(found.messages[1].received == "scratch0[0]");
  REQUIRE(found.works.size() == 2);
  CHECK(found.works[0].at == 1);
  CHECK(found.works[0].rank == 1);
  CHECK(found.works[1].at == 2);
  CHECK(found.works[1].text == "reduce output[0] = output[0] (+) scratch0[0]");
}

TEST_CASE("a block keeps its name through scratch") {
  const Timeline found =
      laid_out(Collective::alltoall, {"area scratch0[0] like output\nsend input[1] to 1\nreceive scratch0[0] from 1\n"
                                      "copy scratch0[0] to output[1]",
                                      "send input[0] to 0\nreceive output[0] from 0"});
  REQUIRE(found.messages.size() == 2);
  CHECK(found.messages[0].pieces == std::vector{MessagePiece{1, 0, 1, 1, {0}}});
  CHECK(found.messages[1].pieces == std::vector{MessagePiece{0, 0, 1, 1, {1}}});
  REQUIRE(found.works.size() == 1);
  CHECK_FALSE(found.works[0].reduces);
  CHECK(found.end == 1);
}

TEST_CASE("tokens carry nothing") {
  const Timeline found = laid_out(Collective::barrier, {"send token[0] to 1", "receive token[1] from 0"});
  REQUIRE(found.messages.size() == 1);
  CHECK(found.messages[0].pieces.empty());
}

TEST_CASE("what waits in a circle is refused") {
  CHECK_THROWS_AS(laid_out(Collective::bcast, {"receive output[0] from 1\nsend output[0] to 1",
                                               "receive output[0] from 0\nsend output[0] to 0"}),
                  std::logic_error);
}

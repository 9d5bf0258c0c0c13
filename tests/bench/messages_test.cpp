#include "bench/messages.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>

using namespace tutti::bench;

namespace {

Rounds pattern(std::string_view name, int ranks) {
  return named_pattern(name, std::vector<int>(static_cast<std::size_t>(ranks), 0)).value();
}

Rounds read(const std::string& text, int ranks = 4) {
  std::istringstream stream(text);
  return read_pattern(stream, "halo.txt", ranks);
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

}  // namespace

TEST_CASE("named patterns are the rounds that a file gives") {
  CHECK(pattern("pingpong", 5) == read("0 -> 1\nround\n1 -> 0"));
  CHECK(pattern("pingping", 4) == read("0 <-> 1"));
  CHECK(pattern("sendrecv", 3) == read("0->1\n1->2\n2->0"));
  CHECK(pattern("exchange", 3) == read("0->1\n1->2\n2->0\n0->2\n1->0\n2->1"));
  CHECK(pattern("ring", 3) == read("0->1\nround\n1->2\nround\n2->0"));
  CHECK(pattern("neighbour_pairs", 5) == read("0->1\n2->3\nround\n1->0\n3->2"));
  CHECK(pattern("far_pairs", 4) == read("0->2\n1->3\nround\n2->0\n3->1"));
  CHECK(pattern("bisection", 4) == read("0<->2\n1<->3"));
  CHECK(pattern("all_to_one", 3) == read("1->0\n2->0"));
  CHECK(pattern("one_to_all", 3) == read("0->1\n0->2"));
  CHECK(pattern("pairs-1", 4) == read("0->2\nround\n2->0"));
  CHECK(pattern("pairs-2", 4) == pattern("far_pairs", 4));
}

TEST_CASE("pairs lie between two nodes where there are two") {
  const std::vector<int> leaders = {0, 1, 0, 1, 4, 4};
  CHECK(named_pattern("pairs-2", leaders).value() == read("0->1\n2->3\nround\n1->0\n3->2", 6));
  CHECK_THROWS_WITH_AS(named_pattern("pairs-3", leaders), "pairs-3: 6 ranks, as they lie on nodes, make 2 pairs",
                       std::invalid_argument);
  CHECK_THROWS_AS(named_pattern("pairs-0", leaders), std::invalid_argument);
  CHECK_THROWS_AS(named_pattern("pairs-two", leaders), std::invalid_argument);
}

TEST_CASE("a pattern needs its ranks, and its name") {
  CHECK_THROWS_AS(pattern("pingpong", 1), std::invalid_argument);
  CHECK_FALSE(named_pattern("pongping", std::vector<int>{0, 0}));
  for (const std::string& name : pattern_names())
    for (const int ranks : {2, 3, 8})
      if (name != "pairs-K") CHECK_FALSE(pattern(name, ranks).empty());
}

TEST_CASE("a file has rounds, sizes and comments") {
  const Rounds rounds = read("# a halo\n\n  0 -> 1 64K\t# there\n2<->3\nround\n3 -> 0  7\n");
  const Rounds expected = {{{0, 1, 65536}, {2, 3}, {3, 2}}, {{3, 0, 7}}};
  CHECK(rounds == expected);
  CHECK(volume(rounds, 100) == 65536 + 200 + 7);
}

TEST_CASE("a malformed file says file, line and what was expected") {
  CHECK(
      refusal("0 -> 1\n0 => 1\n") ==
      "halo.txt, line 2: expected 'FROM -> TO', 'A <-> B' (a size such as 64K may follow) or 'round', found '0 => 1'");
  CHECK(refusal("# one\n0 -> 4") == "halo.txt, line 2: expected ranks from 0 to 3, found 4");
  CHECK(refusal("0 -> 99999999999") == "halo.txt, line 1: expected ranks from 0 to 3, found 99999999999");
  CHECK(refusal("2 -> 2") == "halo.txt, line 1: expected two different ranks, found 2 -> 2");
  CHECK(refusal("0 -> 1 8X") == "halo.txt, line 1: expected a size in bytes such as 8, 64K or 1M, found '8X'");
  CHECK(refusal("round\n0 -> 1") == "halo.txt, line 1: expected a message before the next round");
  CHECK(refusal("0 -> 1\nround\n") == "halo.txt, line 3: expected a message such as '0 -> 1', found the end");
  CHECK(refusal("") == "halo.txt, line 1: expected a message such as '0 -> 1', found the end");
}

TEST_CASE("a pattern returns where no rank can run ahead") {
  for (const char* name : {"pingpong", "pingping", "sendrecv", "exchange", "ring", "far_pairs", "bisection"})
    CHECK(returning(pattern(name, 5), 5));
  CHECK_FALSE(returning(pattern("all_to_one", 5), 5));
  CHECK_FALSE(returning(pattern("one_to_all", 5), 5));
}

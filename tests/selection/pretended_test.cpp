#include "selection/pretended.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace tutti;

namespace {

std::string dealt(std::string_view text, int ranks) {
  const auto nodes = PretendedNodes::parse(text);
  if (!nodes) return "refused";
  std::string found;
  for (int rank = 0; rank < ranks; ++rank) found += std::to_string(nodes->node_of(rank));
  return found;
}

}  // namespace

TEST_CASE("ranks are dealt to pretended nodes in blocks, in turn, and by sizes") {
  CHECK(dealt("block:3", 8) == "00011122");
  CHECK(dealt("cyclic:3", 8) == "01201201");
  CHECK(dealt("sizes:1,3,2", 6) == "011122");
  CHECK(dealt("sizes:1,3,2", 9) == "011122344");
  CHECK(dealt("Block:1", 3) == "012");
}

TEST_CASE("by a seed every pretended node gets ranks, and the same ones each time") {
  const std::string once = dealt("random:3:7", 64);
  CHECK(once == dealt("random:3:7", 64));
  CHECK(once != dealt("random:3:8", 64));
  CHECK(std::set<char>(once.begin(), once.end()) == std::set<char>{'0', '1', '2'});
}

TEST_CASE("what deals no ranks is refused") {
  for (const char* text : {"", "block", "block:", "block:0", "block:-1", "block:2:3", "cyclic:x", "sizes:", "sizes:1,0",
                           "sizes:1,,2", "random:3", "random:0:1", "blocks:2", "block:4 "})
    CHECK_MESSAGE(dealt(text, 1) == "refused", text);
}

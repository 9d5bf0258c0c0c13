/// Numbers, ranges and suggestions.
#include <doctest/doctest.h>

#include "selection/number.hpp"
#include "selection/range.hpp"
#include "selection/spec.hpp"

using namespace tutti;

TEST_CASE("numbers take K, M and G, 1024 each") {
  CHECK(parse_number("0") == 0);
  CHECK(parse_number("64K") == 65536);
  CHECK(parse_number("8m") == 8 << 20);
  CHECK(parse_number("2G") == std::int64_t{2} << 30);
  for (const char* bad : {"", "-1", "+1", "K", "64Q", "64KB", "6 4", "1.5K", "9223372036854775808", "9999999999G"})
    CHECK_MESSAGE(!parse_number(bad), bad);
}

TEST_CASE("sizes are written with the largest suffix that divides them") {
  CHECK(size_text(0) == "0");
  CHECK(size_text(1000) == "1000");
  CHECK(size_text(1536) == "1536");
  CHECK(size_text(65536) == "64K");
  CHECK(size_text(3 << 20) == "3M");
  CHECK(size_text(std::int64_t{4} << 30) == "4G");
}

TEST_CASE("both ends belong to a range, either may be open") {
  CHECK(parse_range("2:32") == Range{2, 32});
  CHECK(parse_range("64K:") == Range{65536, INT64_MAX});
  CHECK(parse_range(":1M") == Range{0, 1 << 20});
  CHECK(parse_range("4") == Range{4, 4});
  CHECK(parse_range("2:32")->contains(2));
  CHECK(parse_range("2:32")->contains(32));
  CHECK(!parse_range("2:32")->contains(33));
  for (const char* bad : {"", ":", "a", "1:b", "a:1", "3:2", "1:2:3", "-1:2", "1-2"})
    CHECK_MESSAGE(!parse_range(bad), bad);
}

TEST_CASE("the nearest word is the one with the fewest edits, if they are few") {
  const std::vector<std::string_view> words = {"ring", "rabenseifner", "recursive_doubling", "node"};
  CHECK(nearest("rign", words) == "ring");  // two neighbours swapped are one edit
  CHECK(nearest("rabenseifer", words) == "rabenseifner");
  CHECK(nearest("recursive-doubling", words) == "recursive_doubling");
  CHECK(nearest("nod", words) == "node");
  CHECK(nearest("binomial", words) == "");
  CHECK(nearest("", words) == "");
  CHECK(nearest("ring", {}) == "");
  CHECK(did_you_mean("rign", words) == "; did you mean 'ring'?");
  CHECK(did_you_mean("binomial", words) == "");
}

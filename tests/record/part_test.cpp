#include "record/part.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <nlohmann/json.hpp>

using namespace tutti::record;

TEST_CASE("a rank's part is a JSON object, and the arrays that it announces") {
  Book book(8, 8);
  const std::uint32_t world = book.add_communicator(7);
  const Key key{.datatype = 5, .op = 6, .bytes = 64, .site = 0, .communicator = world, .collective = 2};
  book.add(key, 1000, 1200);
  book.add(key, 2000, 2100);
  const std::vector<Communicator> communicators = {{.size = 4, .rank = 0, .members = 0xab, .ranks = "0-3"}};
  const std::map<std::uint64_t, std::string> types = {{4, "int"}, {5, "double"}, {9, "double"}},
                                             operators = {{6, "sum"}};
  // Ticks of half a nanosecond.
  const Noted noted{book, Sites{}, communicators, types, operators, {0, 1'000'000'000}, {4000, 1'000'002'000}};
  const std::string part = part_of_file(noted, {0, 4, "MPI of \xff", true});

  std::uint64_t length = 0;
  std::memcpy(&length, part.data(), sizeof length);
  CHECK(length % 8 == 0);
  const auto heading = nlohmann::json::parse(part.substr(sizeof length, length));
  CHECK(heading["ranks"] == 4);
  CHECK(heading["calls"] == 1);
  CHECK(heading["samples"] == 2);
  CHECK(heading["begin"] == 1.0);
  CHECK(heading["datatypes"] == nlohmann::json::array({"int", "double"}));  // each name once
  CHECK(heading["communicators"][0]["identity"] == "0xab.0");
  CHECK(heading["communicators"][0]["ranks"] == "0-3");
  REQUIRE(part.size() == sizeof length + length + 72 + 2 * 24);

  std::uint32_t type = 0;
  std::memcpy(&type, part.data() + sizeof length + length + 8, sizeof type);
  CHECK(type == 1);
  double seconds = 0;
  std::memcpy(&seconds, part.data() + sizeof length + length + 48, sizeof seconds);
  CHECK(seconds == doctest::Approx(150e-9));
}

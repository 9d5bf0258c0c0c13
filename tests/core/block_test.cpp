#include "core/block.hpp"

#include <doctest/doctest.h>

using namespace tutti;

TEST_CASE("a list keeps its runs in order, however many") {
  BlockList list;
  for (int i = 0; i < 5; ++i) list.add(output(i));
  REQUIRE(list.size() == 5);
  int expected = 0;
  for (const Blocks& run : list) CHECK(run == output(expected++));
  CHECK(list == BlockList{output(0), output(1), output(2), output(3), output(4)});
  CHECK_FALSE(list == BlockList{output(0), output(1), output(2), output(3), output(5)});
  CHECK_FALSE(list == BlockList{output(0)});
}

TEST_CASE("owners modulo size are one run, or two where they wrap") {
  CHECK(wrapped(output(0), 2, 3, 5) == BlockList(output(2, 3)));
  CHECK(wrapped(output(0), 3, 3, 5) == BlockList{output(3, 2), output(0, 1)});
  CHECK(wrapped(output(0), 5, 5, 5) == BlockList(output(0, 5)));
  CHECK(wrapped(input(0), 7, 2, 5) == BlockList(input(2, 2)));
  CHECK(wrapped(output(0), -1, 2, 5) == BlockList{output(4, 1), output(0, 1)});
}

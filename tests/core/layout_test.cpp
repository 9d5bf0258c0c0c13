#include "core/layout.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace tutti;

TEST_CASE("balanced parts cover the vector and differ by one element at most") {
  for (std::int64_t elements : {0, 1, 6, 7, 100})
    for (int of : {1, 2, 3, 7, 11}) {
      std::int64_t next = 0;
      for (int i = 0; i < of; ++i) {
        const Extent extent = balanced(elements, i, 1, of);
        CHECK(extent.offset == next);
        CHECK((extent.length == elements / of || extent.length == elements / of + 1));
        next += extent.length;
      }
      CHECK(next == elements);
      CHECK(balanced(elements, 0, of, of).length == elements);
    }
}

TEST_CASE("a layout tells sizes and places, narrow or wide, packed or displaced") {
  const std::vector<int> counts{3, 0, 2}, displacements{10, 0, 4};
  const std::vector<std::int64_t> wide{3, 0, std::int64_t{1} << 40};
  const Layout packed = Layout::irregular(3, CountView(counts.data()), {}, 2);
  CHECK(packed.size(2) == 4);
  CHECK(packed.offset(2) == 6);
  CHECK(packed.total() == 10);
  const Layout displaced = Layout::irregular(3, CountView(counts.data()), CountView(displacements.data()), 1);
  CHECK(displaced.offset(0) == 10);
  CHECK(displaced.length(output(0, 3)) == 5);
  const Layout large = Layout::irregular(3, CountView::wide(wide.data()), {}, 4);
  CHECK(large.total() == 12 + (std::int64_t{1} << 42));
  const Layout regular = Layout::regular(4, 5);
  CHECK(regular.offset(3) == 15);
  CHECK(regular.length(part(output(1), 0, 2)) == 3);
  CHECK(regular.length(token(0)) == 0);
}

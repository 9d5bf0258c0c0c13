#include "analysis/cells.hpp"

#include <doctest/doctest.h>

using namespace tutti;

namespace {

Problem problem(Collective collective, std::vector<std::int64_t> counts) {
  return {collective, 4, 1, {}, std::move(counts), true};
}

bool refused(const Cells& cells, const Blocks& what) {
  try {
    cells.find(what);
  } catch (const Misuse&) {
    return true;
  }
  return false;
}

Area area(const Step& step) { return std::get<Area>(step); }

void declare(Cells& cells, const Area& area) {
  cells.check(area);
  BoundStep bound;
  std::vector<Range> ranges;
  cells.bind(area, bound, ranges);
}

}  // namespace

TEST_CASE("blocks lie where the counts put them") {
  const Cells cells(problem(Collective::allgatherv, {3, 0, 2, 4}), 0);
  CHECK(cells.find(output(2)).length() == 2);
  CHECK(cells.find(output(2)).begin > cells.find(output(0)).end);  // a v-form's blocks lie apart
  CHECK(cells.find(part(output(3), 1, 4, 2)).length() == 2);
  CHECK(refused(cells, output(3, 2)));
  CHECK(refused(cells, input(0)));
  CHECK(refused(cells, scratch(0, 0)));
}

TEST_CASE("the two sides of an alltoall have a row and a column") {
  const Cells cells(problem(Collective::alltoallv, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}), 1);
  CHECK(cells.input(2).length() == 7);
  CHECK(cells.output(2).length() == 10);
}

TEST_CASE("positions of an area stand for rotated owners") {
  Cells cells(problem(Collective::allgatherv, {3, 0, 2, 4}), 0);
  declare(cells, area(scratch_area(0, 1, 2, 2)));  // positions 1 and 2 are owners 3 and 0
  CHECK(cells.find(scratch(0, 1)).length() == 4);
  CHECK(cells.find(scratch(0, 2)).length() == 3);
  CHECK(cells.find(scratch(0, 2)).begin == cells.find(scratch(0, 1)).end);
  CHECK(refused(cells, scratch(0, 0)));
  CHECK_THROWS_AS(declare(cells, area(scratch_area(0, 0, 1))), Misuse);
}

TEST_CASE("a floating area holds the largest run, from its start") {
  Cells cells(problem(Collective::allgatherv, {3, 0, 2, 4}), 0);
  declare(cells, area(floating_owners(0, 2)));
  const std::int64_t before = cells.size();
  CHECK(cells.find(scratch(0, 2, 2)).length() == 6);
  CHECK(cells.find(scratch(0, 0)).begin == cells.find(scratch(0, 3)).begin);
  CHECK(refused(cells, scratch(0, 1, 3)) == false);  // owners 1 to 3 happen to be as large
  CHECK(refused(cells, scratch(0, 0, 4)));
  declare(cells, area(floating_owners(1)));
  CHECK(cells.size() == before + 4);
}

TEST_CASE("an area of parts begins with its first part") {
  Cells cells(problem(Collective::allreduce, {10}), 0);
  declare(cells, area(scratch_parts(0, 2, 4, 2)));
  CHECK(cells.find(part(scratch(0, 0), 2, 4)).length() == 2);
  CHECK(cells.find(part(scratch(0, 0), 3, 4)).begin == cells.find(part(scratch(0, 0), 2, 4)).end);
  CHECK(refused(cells, part(scratch(0, 0), 1, 4)));
}

TEST_CASE("owners exist where the convention has them") {
  const Cells root(problem(Collective::gatherv, {3, 0, 2, 4}), 1), other(problem(Collective::gatherv, {3, 0, 2, 4}), 2);
  CHECK(root.exists(Buffer::output, 3));
  CHECK_FALSE(root.exists(Buffer::input, 1));
  CHECK(other.exists(Buffer::input, 2));
  CHECK_FALSE(other.exists(Buffer::input, 1));
  CHECK_FALSE(other.exists(Buffer::output, 2));
  Cells unknowing(problem(Collective::gatherv, {3, 0, 2, 4}), 2);
  declare(unknowing, area(scratch_area(0, 2, 1)));
  CHECK_THROWS_AS(declare(unknowing, area(scratch_area(1, 2, 2))), Misuse);
  const Cells first(problem(Collective::exscan, {5}), 0);
  CHECK_FALSE(first.exists(Buffer::output, 0));
}

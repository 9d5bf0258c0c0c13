#include "analysis/memory.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace tutti;

namespace {

std::vector<std::int64_t> flat(const Pieces& pieces) {
  std::vector<std::int64_t> cells;
  for (const Piece& piece : pieces)
    for (std::int64_t i = 0; i < piece.length; ++i)
      cells.push_back(piece.written() ? 1000 * piece.ranks + piece.element + i : -1);
  return cells;
}

}  // namespace

TEST_CASE("what goes on is one piece") {
  Pieces pieces;
  append(pieces, {3, 0, 1});
  append(pieces, {2, 3, 1});
  append(pieces, {0, 9, 7});
  CHECK(pieces.size() == 1);
  append(pieces, {2, 5, 2});
  append(pieces, {2, 8, 2});
  CHECK(pieces.size() == 3);
  CHECK(flat(pieces) == std::vector<std::int64_t>{1000, 1001, 1002, 1003, 1004, 2005, 2006, 2008, 2009});
}

TEST_CASE("pairs of pieces are as long as the shorter of both") {
  const Pieces left{{3, 0, 1}, {3, 7, 1}}, right{{4, 0, 2}, {2, 4, 2}};
  Pieces lefts, rights;
  each_pair(left, right, [&](const Piece& a, const Piece& b) {
    CHECK(a.length == b.length);
    lefts.push_back(a), rights.push_back(b);
  });
  CHECK(lefts.size() == 3);
  CHECK(flat(lefts) == flat(left));
  CHECK(flat(rights) == flat(right));
}

TEST_CASE("pieces hold what cells would") {
  std::mt19937 random(7);
  constexpr std::int64_t size = 40;
  Memory memory(size);
  std::vector<std::int64_t> cells(size, -1);
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t begin = random() % size, end = begin + random() % (size - begin + 1);
    const Run run{begin, end};
    if (i % 3 != 0) {
      Pieces held;
      memory.read(run, held);
      CHECK(flat(held) == std::vector<std::int64_t>(cells.begin() + begin, cells.begin() + end));
      continue;
    }
    Pieces pieces;
    for (std::int64_t left = run.length(); left > 0;) {
      const std::int64_t length = 1 + random() % left;
      append(pieces, {length, static_cast<std::int64_t>(random() % 50), static_cast<Expression>(random() % 3)});
      left -= length;
    }
    memory.write(run, pieces);
    const std::vector<std::int64_t> written = flat(pieces);
    std::copy(written.begin(), written.end(), cells.begin() + begin);
  }
}

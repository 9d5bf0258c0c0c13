#include "record/book.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

using namespace tutti::record;

namespace {

Key key(std::int64_t bytes, std::uint32_t communicator = 0) {
  Key key;
  key.bytes = bytes, key.communicator = communicator, key.collective = 3;
  return key;
}

std::uint64_t calls(const Book& book) {
  return std::accumulate(book.entries().begin(), book.entries().end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Entry& entry) { return sum + entry.calls; });
}

}  // namespace

TEST_CASE("calls that are alike are one entry; what differs in any part is another") {
  Book book(100, 100);
  book.add_communicator(7);
  for (std::uint64_t i = 0; i < 5; ++i) book.add(key(8), 100 * i, 100 * i + 10 + i);
  REQUIRE(book.entries().size() == 1);
  const Entry& entry = book.entries()[0];
  CHECK(entry.calls == 5);
  CHECK(entry.ticks == 60);
  CHECK(entry.least == 10);
  CHECK(entry.most == 14);
  CHECK(entry.bytes == 40);
  CHECK(book.samples().size() == 5);
  CHECK(book.samples()[4].call == 4);
  for (std::uint32_t Key::*member : {&Key::site, &Key::communicator}) {
    Key other = key(8);
    other.*member = member == &Key::communicator ? nowhere : 5;
    book.add(other, 0, 1);
  }
  Key rooted = key(8), in_place = key(8), typed = key(8);
  rooted.root = 2, in_place.in_place = 1, typed.datatype = 9;
  for (const Key& other : {rooted, in_place, typed}) book.add(other, 0, 1);
  CHECK(book.entries().size() == 6);
}

TEST_CASE("more kinds of calls than there is room for: sizes are rounded up, then only collectives are told apart") {
  constexpr std::size_t room = 200;
  Book book(room, 16);
  book.add_communicator(1);
  for (std::int64_t size = 1; size <= 100'000; ++size) book.add(key(size), 0, 1);
  CHECK(calls(book) == 100'000);
  CHECK(book.entries().size() < room);
  const auto rounded = std::count_if(book.entries().begin(), book.entries().end(),
                                     [](const Entry& entry) { return entry.key.rounded == 1; });
  CHECK(rounded == 11);  // sizes above 100 end at 2^7, 2^8, ... 2^17
  for (std::uint32_t site = 0; site < 1000; ++site) {
    Key other = key(8);
    other.site = site;
    book.add(other, 0, 1);
  }
  CHECK(calls(book) == 101'000);
  CHECK(book.entries().size() == room + 1);
  CHECK(book.entries().back().key.rounded == 2);
  CHECK(book.entries().back().key.collective == 3);
}

TEST_CASE("the same calls are kept on ranks that differ in what else they do, and none in a rhythm") {
  constexpr std::size_t room = 1000;
  Book one(10, room), other(10, room);
  const std::uint32_t shared = one.add_communicator(42);
  other.add_communicator(99);
  const std::uint32_t also = other.add_communicator(42);
  for (std::uint64_t call = 0; call < 20'000; ++call) {
    one.add(key(8, shared), 2 * call, 2 * call + 1);
    other.add(key(8, also), 2 * call, 2 * call + 1);
    for (int more = 0; more < 3; ++more) other.add(key(8, 0), 2 * call, 2 * call + 1);
  }
  CHECK(one.samples().size() <= room);
  CHECK(other.samples().size() <= room);
  CHECK(one.thinning() >= 20);
  CHECK(other.thinning() > one.thinning());
  std::size_t found = 0, odd = 0;
  for (const Sample& sample : other.samples()) {
    if (other.entries()[sample.entry].key.communicator != also) continue;
    ++found;
    odd += sample.call % 2;
    CHECK(std::any_of(one.samples().begin(), one.samples().end(),
                      [&](const Sample& of_one) { return of_one.call == sample.call; }));
  }
  CHECK(found > 100);
  CHECK(odd > found / 3);
  CHECK(odd < 2 * found / 3);
}

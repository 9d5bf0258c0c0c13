/// One copy or two: what takes less of the processor's time, found again when that changes.
#include "node/copy_choice.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace tutti::node::test {
namespace {

/// Cycles of a line.
struct Machine {
  std::uint64_t written, read, once;
};

constexpr Machine warm{11, 10, 16}, cold{14, 13, 33}, even{10, 10, 20};

/// How many of so many calls are copied once.
unsigned once_in(CopyChoice& choice, const Machine& machine, unsigned calls) {
  constexpr std::size_t lines = 1000, bytes = 64 * lines;
  unsigned once = 0;
  for (unsigned call = 0; call < calls; ++call) {
    choice.begin();
    once += choice.once();
    if (!choice.timed()) continue;
    if (choice.once())
      choice.took({}, {}, {machine.once * lines, bytes});
    else
      choice.took({machine.written * lines, bytes}, {machine.read * lines, bytes}, {});
  }
  return once;
}

constexpr unsigned period = CopyChoice::period, run = CopyChoice::run;

}  // namespace

TEST_SUITE("node.copy_choice") {
  TEST_CASE("the cheaper way is taken from the first trial on, and the other one tried in every period") {
    CopyChoice one, two, either;
    CHECK(once_in(one, warm, 2 * run) == run);
    CHECK(once_in(two, cold, 2 * run) == run);
    CHECK(once_in(one, warm, period - 2 * run) == period - 2 * run);
    CHECK(once_in(two, cold, period - 2 * run) == 0);
    CHECK(once_in(one, warm, 10 * period) == 10 * (period - run));
    CHECK(once_in(two, cold, 10 * period) == 10 * run);
    CHECK(once_in(either, even, 10 * period) == 10 * run);  // what gains nothing is left as it is
  }

  TEST_CASE("where costs change, the way follows them") {
    CopyChoice choice;
    for (const Machine& machine : {cold, warm, cold, warm}) {
      once_in(choice, machine, 20 * period);
      CHECK(once_in(choice, machine, period) == (machine.once < 20 ? period - run : run));
    }
  }

  TEST_CASE("of two copies both halves have to be known") {
    CopyChoice choice;
    for (unsigned call = 0; call < 3 * period; ++call) {
      choice.begin();
      if (choice.timed()) choice.took({5, 64}, {}, choice.once() ? Spent{1, 64} : Spent{});
    }
    CHECK(!choice.once());
  }

  TEST_CASE("what is spent on a line") {
    CHECK(Spent{.cycles = 100, .bytes = 640}.a_line() == 10);
    Spent spent;
    spent.add(cycle_count(), 128);
    spent.add(cycle_count(), 128);
    CHECK(spent.bytes == 256);
  }
}

}  // namespace tutti::node::test

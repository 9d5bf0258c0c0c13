/// One copy or two: what takes less of the processors' time, found again when that changes, and by all alike.
#include "node/copy_choice.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace tutti::node::test {
namespace {

/// Nanoseconds for a line that comes and one that goes.
struct Machine {
  int two, one;
};

constexpr Machine warm{21, 16}, cold{27, 33}, even{20, 20};
constexpr unsigned period = CopyChoice::period, run = CopyChoice::run;
constexpr std::size_t lines = 1000, bytes = 64 * lines;

std::int64_t now = 0;
std::int64_t clock_of_test() { return now; }

/// Members whose processors may differ.
class Job {
 public:
  explicit Job(std::size_t members, bool once = false) : choices_(members, CopyChoice(once, clock_of_test)) {}

  /// One call; how many members copy once.
  std::size_t call(const std::vector<Machine>& machines) {
    for (CopyChoice& choice : choices_) choice.begin();
    std::vector<CopyCosts> said;
    std::vector<bool> once;
    for (const CopyChoice& choice : choices_) said.push_back(choice.costs()), once.push_back(choice.once());
    for (std::size_t me = 0; me < choices_.size(); ++me) {
      for (std::size_t other = 0; other < choices_.size(); ++other)
        if (other != me) exchange(me, other, said[other], once, machines[me % machines.size()]);
      choices_[me].end();
      now += 12345;  // others' time
    }
    return static_cast<std::size_t>(std::ranges::count(once, true));
  }
  /// How many of so many calls, in which all members do the same, are copied once.
  unsigned once_in(const std::vector<Machine>& machines, unsigned calls) {
    unsigned once = 0;
    for (unsigned i = 0; i < calls; ++i) {
      const std::size_t members = call(machines);
      CHECK((members == 0 || members == choices_.size()));
      once += members != 0;
    }
    return once;
  }

 private:
  void exchange(std::size_t me, std::size_t other, const CopyCosts& said, const std::vector<bool>& once,
                const Machine& machine) {
    CopyChoice& mine = choices_[me];
    mine.heard(said);
    mine.moves(bytes, once[other]);
    if (!once[me]) mine.moves(bytes, false);
    now += static_cast<std::int64_t>(lines) * (once[other] ? machine.one : machine.two);
  }

  std::vector<CopyChoice> choices_;
};

}  // namespace

TEST_SUITE("node.copy_choice") {
  TEST_CASE("the cheaper way is taken from the first trial on, and the other one tried in every period") {
    Job one(4), two(4), either(4);
    CHECK(one.once_in({warm}, 2 * run) == run);
    CHECK(two.once_in({cold}, 2 * run) == run);
    CHECK(one.once_in({warm}, 1) == 0);  // what was found is told in the next call
    CHECK(one.once_in({warm}, period - 2 * run - 1) == period - 2 * run - 1);
    CHECK(two.once_in({cold}, period - 2 * run) == 0);
    CHECK(one.once_in({warm}, 10 * period) == 10 * (period - run));
    CHECK(two.once_in({cold}, 10 * period) == 10 * run);
    CHECK(either.once_in({even}, 10 * period) == 10 * run);  // what gains nothing is left as it is
  }

  TEST_CASE("what is taken at first stays where the other gains nothing") {
    Job even_once(2, true), cold_once(2, true);
    CHECK(even_once.once_in({even}, 10 * period) == 10 * (period - run));
    CHECK(cold_once.once_in({cold}, period) == run + 1);
    CHECK(cold_once.once_in({cold}, period) == run);
  }

  TEST_CASE("where costs change, the way follows them") {
    Job job(2);
    for (const Machine& machine : {cold, warm, cold, warm}) {
      job.once_in({machine}, 20 * period);
      CHECK(job.once_in({machine}, period) == (machine.one < 20 ? period - run : run));
    }
  }

  TEST_CASE("members with different costs take one way, the cheaper one for all together") {
    constexpr Machine much_for_once{10, 40}, little_for_once{24, 20};
    Job once(3), twice(3);
    once.once_in({little_for_once, warm, little_for_once}, period);
    CHECK(once.call({little_for_once, warm, little_for_once}) == 3);
    twice.once_in({little_for_once, much_for_once, little_for_once}, period);
    CHECK(twice.once_in({little_for_once, much_for_once, little_for_once}, period) == run);
  }

  TEST_CASE("nothing is concluded before everybody knows both") {
    CopyChoice choice(false, clock_of_test);
    for (unsigned call = 0; call < 3 * period; ++call) {
      choice.begin();
      const bool once = choice.once();
      CHECK(once == (call % period / run == 1));
      choice.heard({});
      choice.moves(bytes, once);
      if (!once) choice.moves(bytes, false);
      now += once ? 1 : 1000;
      choice.end();
    }
    CHECK(choice.costs().one > 0);
    CHECK(choice.costs().two > choice.costs().one);
  }

  TEST_CASE("a call that went both ways says nothing of either; one with a little of the other does") {
    CopyChoice choice(false, clock_of_test);
    const auto call = [&](std::size_t once, std::size_t twice) {
      choice.begin();
      choice.heard({});
      now += 640;
      choice.moves(once, true);
      choice.moves(twice, false);
      choice.end();
    };
    for (unsigned i = 0; i < period; ++i) call(bytes, bytes / 2);
    CHECK(choice.costs().one == 0);
    CHECK(choice.costs().two == 0);
    for (unsigned i = 0; i < run; ++i) call(640, 64);
    CHECK(choice.costs().one == 64);
    CHECK(choice.costs().two == 0);
  }

  TEST_CASE("processor time is this thread's") {
    const std::int64_t before = processor_time();
    while (processor_time() == before) continue;
    CHECK(processor_time() > before);
  }
}

}  // namespace tutti::node::test

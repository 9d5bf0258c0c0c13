/// One copy or two: what takes less of the processors' time, found again when that changes, and by all alike.
#include "shm/copy/copy_choice.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace tutti::shm::test {
namespace {

/// Cycles for a line, either way.
struct Machine {
  double two, one;
};

constexpr Machine warm{21, 8}, cold{27, 33}, even{20, 20};
constexpr unsigned run = CopyChoice::run, first_lesson = CopyChoice::first_lesson;

/// Members whose processors may differ, all of whom send to all.
class Job {
 public:
  explicit Job(std::size_t members, bool once = false) : choices_(members, CopyChoice(once)) {}

  /// One call; how many members copy once.  `kinds`: which choice each has asked, where that is not the same.
  std::size_t call(const std::vector<Machine>& machines, const std::vector<unsigned>& kinds = {}) {
    std::vector<CopyChoice::Told> told;
    std::size_t once = 0;
    for (std::size_t me = 0; me < choices_.size(); ++me) {
      choices_[me].begin();
      told.push_back(choices_[me].told(kinds.empty() ? 0 : kinds[me]));
      once += choices_[me].once();
    }
    for (std::size_t me = 0; me < choices_.size(); ++me) {
      CopyChoice& mine = choices_[me];
      for (std::size_t other = 0; other < choices_.size(); ++other)
        if (other != me) mine.heard(told[other], told[me].kind);
      const Machine& machine = machines[me % machines.size()];
      if (mine.timed()) mine.took(mine.once(), mine.once() ? machine.one : machine.two);
      mine.end();
    }
    return once;
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
  CopyChoice& at(std::size_t member) { return choices_[member]; }

 private:
  std::vector<CopyChoice> choices_;
};

}  // namespace

TEST_SUITE("node.copy_choice") {
  TEST_CASE("the cheaper way is taken after eight calls, whichever is tried first") {
    for (const bool first : {false, true}) {
      Job one(4, first), two(4, first);
      CHECK(one.once_in({warm}, first_lesson) == run);
      CHECK(two.once_in({cold}, first_lesson) == run);
      one.call({warm}), two.call({cold});  // what was found is told in the next call
      CHECK(one.once_in({warm}, 50) == 50);
      CHECK(two.once_in({cold}, 50) == 0);
    }
  }

  TEST_CASE("what gains nothing is left as it is") {
    Job twice(3, false), once(3, true);
    CHECK(twice.once_in({even}, 60) == run);
    CHECK(once.once_in({even}, 60) == 60 - run);
  }

  TEST_CASE("later trials of the dearer way cost one per cent of the time at most") {
    constexpr unsigned calls = 20'000;
    Job job(2);
    job.once_in({warm}, 2 * first_lesson);
    const unsigned dearer = calls - job.once_in({warm}, calls);
    CHECK(dearer > 0);
    CHECK(dearer * (warm.two - warm.one) < 0.0105 * calls * warm.one);
  }

  TEST_CASE("where costs change, the way follows them") {
    Job job(2);
    for (const Machine& machine : {cold, warm, cold, warm}) {
      job.once_in({machine}, 3000);
      const unsigned once = job.once_in({machine}, 40);  // of which one trial may be
      CHECK((machine.one < machine.two ? 40 - once : once) <= run);
    }
  }

  TEST_CASE("where the way that is taken becomes much dearer, the other one is tried soon") {
    constexpr Machine worse{21, 60};
    Job job(2);
    job.once_in({warm}, 3000);
    CHECK(job.once_in({warm}, 1) == 1);
    job.once_in({worse}, 200);
    CHECK(job.once_in({worse}, 40) <= run);
  }

  TEST_CASE("members with different costs take one way, the cheaper one for all together") {
    constexpr Machine much_for_once{10, 40}, little_for_once{24, 20};
    Job once(3), twice(3);
    once.once_in({little_for_once, warm, little_for_once}, 2 * first_lesson);
    CHECK(once.call({little_for_once, warm, little_for_once}) == 3);
    twice.once_in({little_for_once, much_for_once, little_for_once}, 2 * first_lesson);
    CHECK(twice.call({little_for_once, much_for_once, little_for_once}) == 0);
  }

  TEST_CASE("members that have asked different choices at first go on together") {
    Job job(3);
    for (int call = 0; call < 3; ++call) job.call({warm}, {0, 1, 0});
    CHECK(job.at(0).told(0).call == job.at(1).told(0).call);
    job.at(2).begin(), job.at(2).end();  // a call that the others have counted elsewhere
    job.call({warm});
    CHECK(job.at(0).told(0).call == job.at(2).told(0).call);
    CHECK(job.once_in({warm}, 2 * first_lesson) > 0);
    CHECK(job.once_in({warm}, 20) == 20);
  }

  TEST_CASE("nothing is concluded before both are known") {
    CopyChoice choice(false);
    for (unsigned call = 1; call <= 60; ++call) {
      choice.begin();
      CHECK(choice.once() == (call > run && call <= first_lesson));
      if (!choice.once()) choice.took(false, 100);
      choice.end();
    }
  }
}

}  // namespace tutti::shm::test

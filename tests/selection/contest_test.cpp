/// node(native=clock) without an MPI: ranks with times of their own decide alike, on the faster side, at a bounded
/// cost.
#include "selection/contest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace tutti;

namespace {

using Side = Contest::Side;

/// What a call takes by either side, and what the program does between two calls.
struct Speeds {
  std::int64_t engine, native, between = 0;
};

/// All ranks' contests of one kind of call.
class Ranks {
 public:
  Ranks(int count, bool whole_turns) : all_(static_cast<std::size_t>(count), Contest(whole_turns)) {}

  /// One call on all ranks; on each a little longer or shorter.
  Side call(const Speeds& speeds) {
    if (all_[0].due()) exchange();
    const Side side = all_[0].next();
    const bool timing = all_[0].timing();
    bool alike = true;
    for (Contest& rank : all_) {
      alike = alike && rank.next() == side && rank.timing() == timing && !rank.due();
      const std::int64_t takes = (side == Side::engine ? speeds.engine : speeds.native) * wobble_(random_) / 100;
      rank.timing() ? rank.took(now_, now_ + takes) : rank.pass();
    }
    CHECK(alike);
    now_ += (side == Side::engine ? speeds.engine : speeds.native) + speeds.between;
    return side;
  }
  /// How many of so many calls the MPI library's own made.
  int natives(int calls, const Speeds& speeds) {
    int count = 0;
    for (int i = 0; i < calls; ++i) count += call(speeds) == Side::native;
    return count;
  }
  const Contest& one() const { return all_[0]; }

 private:
  void exchange() {
    std::array<std::int64_t, Contest::sides> slowest{};
    for (const Contest& rank : all_) {
      CHECK(rank.due());
      for (std::size_t side = 0; side < slowest.size(); ++side)
        slowest[side] = std::max(slowest[side], rank.times()[side]);
    }
    for (Contest& rank : all_) rank.decide(slowest);
  }

  std::vector<Contest> all_;
  std::int64_t now_ = 0;
  std::mt19937 random_{7};
  std::uniform_int_distribution<std::int64_t> wobble_{98, 102};
};

constexpr int trial = Contest::turns * Contest::first_turn, first = Contest::settling + trial;
constexpr int longest = Contest::turns * Contest::longest_turn;

}  // namespace

TEST_CASE("the faster side serves after the first trial, and half of a trial's calls are the other's") {
  for (const bool whole : {false, true}) {
    Ranks slow(4, whole), fast(4, whole);
    CHECK(slow.natives(Contest::settling, {1000, 1500}) == 0);
    CHECK(slow.natives(trial, {1000, 1500}) == trial / 2);
    CHECK(slow.natives(Contest::first_review, {1000, 1500}) == 0);
    fast.natives(first, {1000, 800});
    CHECK(fast.natives(Contest::first_review, {1000, 800}) == Contest::first_review);
  }
}

TEST_CASE("trials become rare while they find the same, and a change is found") {
  Ranks ranks(3, false);
  const Speeds usual{1000, 1500}, changed{1000, 300};
  ranks.natives(first, usual);
  int at_a_time = trial;
  for (const int between : {64, 512, 4096}) {
    CHECK(ranks.natives(between, usual) == 0);
    at_a_time = std::min(2 * at_a_time, longest);
    CHECK(ranks.natives(at_a_time, usual) == at_a_time / 2);
  }
  const int calls = 2'000'000;
  CHECK(ranks.natives(calls, usual) <= longest / 2 * (calls / Contest::last_review + 1));
  ranks.natives(2 * static_cast<int>(Contest::last_review), changed);
  CHECK(ranks.natives(40, changed) == 40);
}

TEST_CASE("a side that is no more than noise faster does not replace the other") {
  Ranks ranks(2, false);
  ranks.natives(first, {1000, 990});
  CHECK(ranks.natives(Contest::first_review, {1000, 990}) == 0);
}

TEST_CASE("whole turns count what a side's calls cost between them") {
  // Each rank is in the MPI's call for less time, but what follows takes longer: as if it left ranks behind.
  Contest calls(false), turns(true);
  std::int64_t now = 0;
  while (!calls.due()) {
    const bool native = calls.next() == Side::native;
    const std::int64_t takes = native ? 500 : 1000, after = native ? 2000 : 100;
    for (Contest* one : {&calls, &turns}) one->timing() ? one->took(now, now + takes) : one->pass();
    now += takes + after;
  }
  CHECK(calls.times() == std::array<std::int64_t, 2>{1000, 500});
  CHECK(turns.times() == std::array<std::int64_t, 2>{1100, 2500});
}

TEST_CASE("a turn that another process held up is not what a whole turn takes") {
  Contest contest(true);
  std::int64_t now = 0;
  for (int call = 0; !contest.due(); ++call) {
    const std::int64_t takes = call == Contest::settling + 2 ? 1'000'000 : 1000;
    contest.timing() ? contest.took(now, now + takes) : contest.pass();
    now += takes;
  }
  CHECK(contest.times() == std::array<std::int64_t, 2>{1000, 1000});
}

TEST_CASE("estimates carry half of what was found before") {
  Ranks ranks(2, false);
  ranks.natives(first + 1, {1000, 2000});
  const std::int64_t before = ranks.one().estimate(Side::native);
  CHECK(before > 1950);
  CHECK(before < 2050);
  ranks.natives(static_cast<int>(Contest::first_review) + 2 * trial, {1000, 4000});
  CHECK(ranks.one().estimate(Side::native) > 2900);
  CHECK(ranks.one().estimate(Side::native) < 3100);
}

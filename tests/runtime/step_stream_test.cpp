/// Blocks become ranges, steps become bound steps: layouts, scratch areas, order.
#include "runtime/wire/step_stream.hpp"

#include <doctest/doctest.h>

#include <array>

#include "algorithms/combinators/combinators.hpp"
#include "algorithms/phases/phases.hpp"
#include "runtime/wire/schedule_plan.hpp"

using namespace tutti;
using namespace tutti::runtime;

namespace {

constexpr std::array<int, 4> counts{3, 0, 2, 5};
constexpr std::array<int, 4> apart{10, 0, 3, 20};  // owner 2, gap, owner 0, gap, owner 3

Layouts irregular() {
  const Layout layout = Layout::irregular(4, CountView(counts.data()), CountView(apart.data()), 1);
  return {layout, layout};
}

std::vector<Range> ranges_of(const Spaces& spaces, const Blocks& what) {
  std::vector<Range> ranges;
  spaces.append(what, ranges);
  return ranges;
}

bool same(const std::vector<Range>& ranges, const std::vector<std::array<std::int64_t, 3>>& expected) {
  if (ranges.size() != expected.size()) return false;
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (ranges[i].space != expected[i][0] || ranges[i].first != expected[i][1] || ranges[i].count != expected[i][2])
      return false;
  return true;
}

Schedule chain(Context) {
  co_yield floating_parts(0, 2);
  co_yield receive(1, part(scratch(0, 0), 0, 2));
  co_yield reduce_left(part(scratch(0, 0), 0, 2), part(output(0), 0, 2));
  co_yield receive(1, part(scratch(0, 0), 1, 2));
  co_yield reduce_left(part(scratch(0, 0), 1, 2), part(output(0), 1, 2));
  co_yield send(2, part(output(0), 0, 2));
}

Schedule tokens(Context) {
  co_yield send(1, token(0));
  co_yield receive(1, token(1));
  co_yield round_mark();
  co_yield send(2, token(1));
}

Schedule endless(Context) {
  for (;;) co_yield send(1, output(0));
}

}  // namespace

TEST_CASE("regular blocks are one range, wherever they begin") {
  const Layout layout = Layout::regular(8, 5);
  const Spaces spaces({layout, layout});
  CHECK(same(ranges_of(spaces, output(2, 3)), {{output_space, 10, 15}}));
  CHECK(same(ranges_of(spaces, part(input(1), 1, 3, 2)), {{input_space, 7, 3}}));
  CHECK(same(ranges_of(spaces, token(4, 2)), {{token_space, 4, 2}}));
}

TEST_CASE("blocks that lie apart are as many ranges, without the empty ones") {
  const Spaces spaces(irregular());
  CHECK(same(ranges_of(spaces, output(0, 4)), {{output_space, 10, 3}, {output_space, 3, 2}, {output_space, 20, 5}}));
  CHECK(same(ranges_of(spaces, output(1)), {}));
}

TEST_CASE("anchored scratch is as large as the positions it stands for") {
  Spaces spaces(irregular());
  const Area area{.slot = 0, .first = 1, .count = 3, .rotate = 2};  // owners 3, 0, 1
  spaces.declare(area);
  CHECK(spaces.areas().back() == 5 + 3 + 0);
  CHECK(same(ranges_of(spaces, scratch(0, 2)), {{first_area_space, 5, 3}}));
  CHECK(same(ranges_of(spaces, part(scratch(0, 1), 1, 2)), {{first_area_space, 3, 2}}));
}

TEST_CASE("floating scratch holds the largest run, from its start") {
  Spaces spaces(irregular());
  spaces.declare({.slot = 0, .floating = true, .count = 2});
  CHECK(spaces.areas().back() == 7);
  CHECK(same(ranges_of(spaces, scratch(0, 2, 2)), {{first_area_space, 0, 7}}));
  spaces.declare({.slot = 1, .floating = true, .parts = 2, .of = 2});
  CHECK(spaces.areas().back() == 3);
}

TEST_CASE("a step waits for those whose elements it touches") {
  const Layout vector = Layout::regular(1, 9);
  const SchedulePlan plan = make_schedule_plan({}, {vector, vector}, chain({}));
  REQUIRE(plan.steps.size() == 5);
  CHECK(plan.areas == std::vector<std::int64_t>{5});
  CHECK(plan.steps[0].after == 0);
  CHECK(plan.steps[1].after == 0b1);   // the segment has arrived
  CHECK(plan.steps[2].after == 0b10);  // its scratch is free again, so that the first receive has ended too
  CHECK(plan.steps[2].after_issue == 0);
  CHECK(plan.steps[3].after == 0b100);  // its elements are others than the first reduction's
  CHECK(plan.steps[4].after == 0b0010);
  CHECK(plan.steps[1].length == 5);
  CHECK(plan.steps[3].length == 4);
}

TEST_CASE("empty blocks vanish, tokens do not") {
  const Layout nothing = Layout::regular(1, 0);
  CHECK(make_schedule_plan({}, {nothing, nothing}, chain({})).steps.empty());
  const SchedulePlan plan = make_schedule_plan({}, {nothing, nothing}, tokens({}));
  REQUIRE(plan.steps.size() == 3);
  CHECK(plan.steps[2].after == 0b10);
  CHECK(plan.steps[0].round == plan.steps[1].round);
  CHECK(plan.steps[2].round == plan.steps[1].round + 1);
}

TEST_CASE("a v-form's plan is kept for the same sizes and places alone") {
  SchedulePlanCache plans;
  int made = 0;
  const auto get = [&](const std::array<int, 4>& sizes, const std::array<int, 4>& places) {
    const Layout layout = Layout::irregular(4, CountView(sizes.data()), CountView(places.data()), 1);
    const SchedulePlan::Key key{.input = unknown, .output = unknown};
    plans.get(key, {layout, layout}, [&] { return ++made, make_schedule_plan(key, {layout, layout}, tokens({})); });
    return made;
  };
  CHECK(get(counts, apart) == 1);
  CHECK(get(counts, apart) == 1);
  CHECK(get(counts, {10, 0, 3, 21}) == 2);
  CHECK(get({3, 0, 2, 4}, apart) == 3);
  CHECK(get(counts, apart) == 3);
}

TEST_CASE("learned positions are spaces of their own, and what names them is bound late") {
  const Layout own = Layout::regular(4, 5);
  const SchedulePlan plan = make_schedule_plan({}, {own, own}, sized({2, 8, 0, {}}, gather_binomial({2, 8, 0, {}})));
  REQUIRE(plan.steps.size() == 3);  // copy own, receive from 3, send to 0
  CHECK(plan.areas == std::vector{unknown, unknown});
  CHECK(plan.steps[0].late);
  CHECK(plan.steps[1].sized);
  CHECK(plan.steps[1].after == 0);
  CHECK_FALSE(plan.steps[2].sized);
  CHECK(plan.steps[2].after == 0b11);
}

TEST_CASE("after a fence a step waits for all before it, and for none beside it") {
  const Layout blocks = Layout::regular(8, 1);
  const SchedulePlan plan =
      make_schedule_plan({}, {blocks, blocks}, scatter_linear({.me = 0, .size = 8, .parameters = {{3}}}));
  REQUIRE(plan.steps.size() == 7);
  for (std::size_t i = 0; i < 7; ++i) CHECK(plan.steps[i].after == (i < 3 ? 0 : i < 6 ? 0b000111 : 0b111000));
}

TEST_CASE("a fence holds back as many steps as are still under way") {
  const auto batches = [](int each) -> Schedule {
    for (int i = 0; i < 4 * each; ++i) {
      co_yield send(1 + i, output(0));
      if (i % each == each - 1) co_yield fence();
    }
  };
  const Layout vector = Layout::regular(1, 1);
  for (const int each : {1, 31, 63, 64, 65}) {
    StepStream stream({vector, vector}, batches(each));
    for (int i = 0; i < 4 * each; ++i) {
      const int busy = std::min(i, window_places - 1);
      const std::uint64_t places = std::rotl(bit(busy) - 1, place_of(i - busy + window_places));
      REQUIRE(stream.pull(places));
      CHECK(std::popcount(stream.step().after) == std::max(i < each ? 0 : busy - i % each, 0));
    }
  }
}

TEST_CASE("a long program is no plan") {
  const Layout vector = Layout::regular(1, 1);
  const SchedulePlan plan = make_schedule_plan({}, {vector, vector}, endless({}));
  CHECK(plan.too_long);
  CHECK(plan.steps.empty());
}

TEST_CASE("the window's places are used again, and only busy ones are waited for") {
  const Layout vector = Layout::regular(1, 1);
  StepStream stream({vector, vector}, endless({}));
  for (int i = 0; i < 3 * window_places; ++i) REQUIRE(stream.pull(i % 2 ? std::uint64_t{1} << (i - 1) % 64 : 0));
  CHECK(stream.step().after_issue == std::uint64_t{1} << 62);
}

#include "algorithms/combinators/combinators.hpp"

#include "algorithms/combinators/on_runs.hpp"
#include "algorithms/combinators/renamed.hpp"

namespace tutti {

Schedule then(Schedule first, Schedule second) {
  int slots = 0;
  while (const Step* step = first.next()) {
    if (const auto* area = std::get_if<Area>(step)) slots = std::max(slots, area->slot + 1);
    co_yield *step;
  }
  Schedule rest = with_slots_from(slots, std::move(second));
  while (const Step* step = rest.next()) co_yield *step;
}

Schedule on_ranks(Schedule inner, std::function<Rank(int)> rank_of) {
  return renamed(std::move(inner), {.peer = std::move(rank_of), .blocks = {}, .area = {}});
}

Schedule on_parts(Schedule inner, int size) {
  const auto blocks = [size](Blocks run) {
    if (run.buffer == Buffer::token) return run;
    run.part = run.first, run.parts = run.count, run.of = size;
    run.first = 0, run.count = 1;
    return run;
  };
  const auto area = [size](Area area) {
    area.part = area.first, area.parts = area.count, area.of = size;
    area.first = 0, area.count = 1;
    return area;
  };
  return renamed(std::move(inner), {.peer = {}, .blocks = blocks, .area = area});
}

Schedule on_row(Schedule inner, int size) { return on_runs(std::move(inner), {0, size}); }

Schedule in_place(Schedule inner) {
  const auto blocks = [](Blocks run) {
    if (run.buffer == Buffer::input) run.buffer = Buffer::output;
    return run;
  };
  return renamed(std::move(inner), {.peer = {}, .blocks = blocks, .area = {}});
}

Schedule with_slots_from(int first, Schedule inner) {
  if (first == 0) return inner;
  const auto blocks = [first](Blocks run) {
    if (run.buffer == Buffer::scratch) run.slot += first;
    return run;
  };
  const auto area = [first](Area area) {
    area.slot += first;
    return area;
  };
  return renamed(std::move(inner), {.peer = {}, .blocks = blocks, .area = area});
}

Schedule handed_over(Context context, Fold fold) {
  const Rank me = context.me, first = fold.first(fold.folded(me));
  if (fold.idle(me)) {
    co_yield send(fold.carrier_of(me), output(0));
    co_yield round_mark();
    co_return;
  }
  for (Rank rank = me - 1; rank >= first; --rank) {
    const Blocks arrived = scratch(me - 1 - rank, 0);
    co_yield scratch_area(arrived.slot, 0, 1);
    co_yield receive(rank, arrived);
    co_yield reduce_left(arrived, output(0));
  }
  if (first < me) co_yield round_mark();
}

namespace {

Schedule folded_with_idle(Context context, Fold fold, Schedule (*inner)(Context)) {
  const Rank me = context.me;
  Schedule before = handed_over(context, fold);
  if (!fold.idle(me)) {
    Schedule core = inner({fold.folded(me), fold.size(), 0, context.parameters});
    before = then(std::move(before), on_ranks(std::move(core), [fold](int number) { return fold.unfolded(number); }));
  }
  while (const Step* step = before.next()) co_yield *step;
  if (fold.idle(me)) co_yield receive(fold.carrier_of(me), output(0));
  for (Rank rank = fold.first(fold.folded(me)); rank < me && !fold.idle(me); ++rank) co_yield send(rank, output(0));
  if (fold.first(fold.folded(me)) < me || fold.idle(me)) co_yield round_mark();
}

}  // namespace

Schedule folded(Context context, Fold fold, Schedule (*inner)(Context)) {
  if (fold.excess() == 0) return inner({context.me, context.size, 0, context.parameters});
  return folded_with_idle(context, fold, inner);
}

Schedule on_groups(Schedule inner, Fold fold) {
  std::vector<int> starts;
  for (int number = 0; number <= fold.size(); ++number) starts.push_back(fold.first(number));
  return on_ranks(on_runs(std::move(inner), std::move(starts)), [fold](int number) { return fold.unfolded(number); });
}

Schedule folded_blocks(Context context, Fold fold, Schedule (*inner)(Context)) {
  const Rank me = context.me, carrier = fold.carrier_of(me), first = fold.first(fold.folded(me));
  const auto all_but = [&](Rank rank) { return wrapped(output(0), rank + 1, context.size - 1, context.size); };
  if (fold.idle(me)) {
    co_yield send(carrier, output(me));
    co_yield round_mark();
    co_yield receive(carrier, all_but(me));
    co_yield round_mark();
    co_return;
  }
  for (Rank rank = first; rank < me; ++rank) co_yield receive(rank, output(rank));
  if (first < me) co_yield round_mark();
  Schedule core = on_groups(inner({fold.folded(me), fold.size(), 0, context.parameters}), fold);
  while (const Step* step = core.next()) co_yield *step;
  for (Rank rank = first; rank < me; ++rank) co_yield send(rank, all_but(rank));
  if (first < me) co_yield round_mark();
}

}  // namespace tutti

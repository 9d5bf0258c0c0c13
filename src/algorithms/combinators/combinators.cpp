#include "algorithms/combinators/combinators.hpp"

#include "algorithms/combinators/renamed.hpp"
#include "patterns/fold.hpp"

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

Schedule with_slots_from(int first, Schedule inner) {
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

Schedule folded(Context context, Schedule (*inner)(Context)) {
  const Fold fold{context.size};
  const Rank me = context.me, partner = fold.partner(me);
  if (fold.idle(me)) {
    co_yield send(partner, output(0));
    co_yield round_mark();
    co_yield receive(partner, output(0));
    co_yield round_mark();
    co_return;
  }
  if (fold.carrier(me)) {
    co_yield scratch_area(0, 0, 1);
    co_yield receive(partner, scratch(0, 0));
    co_yield reduce_left(scratch(0, 0), output(0));
    co_yield round_mark();
  }
  Schedule core = inner({fold.folded(me), fold.size(), 0, context.parameters});
  core = with_slots_from(1, on_ranks(std::move(core), [fold](int number) { return fold.unfolded(number); }));
  while (const Step* step = core.next()) co_yield *step;
  if (fold.carrier(me)) {
    co_yield send(partner, output(0));
    co_yield round_mark();
  }
}

}  // namespace tutti

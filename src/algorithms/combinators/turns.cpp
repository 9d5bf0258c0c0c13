#include "algorithms/combinators/turns.hpp"

#include <algorithm>

#include "algorithms/combinators/combinators.hpp"
#include "algorithms/combinators/renamed.hpp"

namespace tutti {
namespace {

Schedule placed(Schedule inner, Place input, Place output) {
  const auto moved = [=](Blocks run) {
    const bool in = run.buffer == Buffer::input;
    if (!in && run.buffer != Buffer::output) return run;
    const Place& place = in ? input : output;
    run.buffer = place.buffer, run.slot = place.slot;
    return run;
  };
  return renamed(std::move(inner), {.peer = {}, .blocks = moved, .area = {}});
}

/// Messages in sets are the phase's own: its sets are numbered from `first` on.
struct SetsFrom {
  int first;
  Step operator()(Peers step) const { return step.set += first, step; }
  Step operator()(ReceiveAny step) const { return step.set += first, step; }
  Step operator()(Send step) const {
    if (step.set != no_set) step.set += first;
    return step;
  }
  Step operator()(auto step) const { return step; }
};

int cut_by(const Step& step) {
  int parts = 1;
  each_run(step, [&](const Blocks& run) { parts = std::max(parts, run.of); });
  return parts;
}

}  // namespace

void Turns::note(const Step& step) {
  if (const auto* area = std::get_if<Area>(&step)) slots_ = std::max(slots_, area->slot + 1);
  if (!declares(step)) open_ = !std::holds_alternative<Round>(step);
}

Schedule Turns::take(int number, Schedule phase, Place input, Place output) {
  Schedule steps = placed(with_slots_from(slots_, std::move(phase)), input, output);
  bool first = open_;
  while (const Step* step = steps.next()) {
    if (first) co_yield round_mark();
    first = false;
    if (const int cut = cut_by(*step); cut > 1) {
      if (cut_ > 1 && cut != cut_) co_yield fence();
      cut_ = cut;
    }
    note(*step);
    co_yield std::visit(SetsFrom{number}, *step);
  }
}

}  // namespace tutti

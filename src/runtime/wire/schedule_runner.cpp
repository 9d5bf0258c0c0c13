#include "runtime/wire/schedule_runner.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "runtime/errors.hpp"

namespace tutti::runtime {
namespace {

using Kind = OrderedStep::Kind;

/// After a local step of so many bytes it is worth polling for messages.
constexpr std::int64_t long_work = 8 * 1024;
/// Steps ahead in a program that does not fit into the window.
constexpr int most_ahead = 32;

/// Walks two lists of ranges side by side, in pieces that are one run on both.
template <class Action>
void pairwise(const Range* from, int froms, const Range* into, int intos, Action&& action) {
  if (froms == 1 && intos == 1 && from->count == into->count) return action(*from, *into);
  std::int64_t from_done = 0, into_done = 0;
  for (int f = 0, i = 0; f < froms && i < intos;) {
    const std::int64_t count = std::min(from[f].count - from_done, into[i].count - into_done);
    action(Range{from[f].space, from[f].first + from_done, count},
           Range{into[i].space, into[i].first + into_done, count});
    from_done += count, into_done += count;
    if (from_done == from[f].count) ++f, from_done = 0;
    if (into_done == into[i].count) ++i, into_done = 0;
  }
}

std::int64_t total(const Range* ranges, int count) {
  std::int64_t sum = 0;
  for (int i = 0; i < count; ++i) sum += ranges[i].count;
  return sum;
}

}  // namespace

ScheduleRunner::ScheduleRunner(PrivateComm& wire, const Frame& frame, Combiner* combiner, int tag)
    : wire_(wire),
      work_(*wire.workspace),
      unit_(frame.unit),
      combiner_(combiner),
      tag_(tag),
      backoff_(wire.polls, wire.suspend) {
  work_.bases.resize(first_area_space);
  work_.bases[input_space].start = frame.input;
  work_.bases[output_space].start = frame.output;
}

ScheduleRunner::~ScheduleRunner() {
  if (work_.requests.empty()) return;
  work_.in_doubt = true;
  std::uint64_t receives = 0;
  each_place(window_.incomplete(), [&](int place) {
    if (place_at(place).step->kind == Kind::receive) receives |= bit(place);
  });
  work_.requests.abandon(receives);
}

void ScheduleRunner::copy(const std::byte* from, std::int64_t count, std::byte* into) const {
  if (from != into) std::memcpy(into, from, static_cast<std::size_t>(count * unit_));
}

/// Scratch for `count` elements.
std::byte* ScheduleRunner::row(std::int64_t count) { return work_.arena.take(static_cast<std::size_t>(count * unit_)); }

/// Memory for the areas that have been declared since.  Learned positions have none yet.
void ScheduleRunner::declare(const std::vector<std::int64_t>& areas) {
  for (std::size_t i = work_.bases.size() - first_area_space; i < areas.size(); ++i)
    work_.bases.push_back(areas[i] == unknown ? Base{nullptr, unknown, true}
                                              : Base{areas[i] > 0 ? row(areas[i]) : nullptr, areas[i], false});
}

/// The ranges of a late step, with the elements of its learned positions.
void ScheduleRunner::resolve(Place& place) const {
  place.resolved.assign(place.ranges, place.ranges + place.step->from + place.step->into);
  for (Range& range : place.resolved) {
    const Base& base = work_.bases[static_cast<std::size_t>(range.space)];
    if (base.learned) range.count = base.length;
  }
  place.ranges = place.resolved.data();
}

void ScheduleRunner::run(const SchedulePlan& plan) {
  declare(plan.areas);
  if (plan.whole && std::ssize(plan.steps) <= wire_.window && !wire_.fenced) return run_whole(plan);
  const OrderedStep* pulled = plan.steps.data();
  const OrderedStep* const end = pulled + plan.steps.size();
  drive([&](Place& place) {
    if (pulled == end) return false;
    place.step = pulled++;
    place.ranges = plan.ranges.data() + place.step->first_range;
    return true;
  });
}

/// All steps have their places from the start.
void ScheduleRunner::run_whole(const SchedulePlan& plan) {
  Place* place = work_.places.data();
  for (const OrderedStep& step : plan.steps) {
    place->step = &step;
    place->ranges = plan.ranges.data() + step.first_range;
    place->bounce_room = 0;
    ++place;
  }
  window_.begin_as(*plan.whole);
  exhausted_ = true;
  drive([](Place&) { return false; });
}

void ScheduleRunner::run(StepStream& stream) {
  drive([&](Place& place) {
    if (!stream.pull(window_.incomplete())) return false;
    declare(stream.areas());
    place.step = &stream.step();
    place.ranges = stream.ranges().data();
    return true;
  });
}

template <class Pull>
void ScheduleRunner::drive(Pull&& pull) {
  for (;;) {
    if (!exhausted_) fill(pull);
    start_messages();
    if (run_local()) continue;
    if (work_.requests.empty()) {
      if (window_.incomplete() == 0 && exhausted_) return;
      if (window_.incomplete() & bit(place_of(oldest_))) throw std::logic_error("a schedule waits for itself");
    } else {
      await();
    }
  }
}

/// Keeps the window full: `wire.window` steps, or to the end of the oldest incomplete round, for which freedom from
/// deadlock is proven.  Not more than `most_ahead` of many steps: each poll tests all pending messages.
template <class Pull>
void ScheduleRunner::fill(Pull& pull) {
  while (oldest_ < next_ && !(window_.incomplete() & bit(place_of(oldest_)))) ++oldest_;
  while (!exhausted_) {
    const std::int64_t ahead = next_ - oldest_;
    if (ahead >= window_places) return;
    if (ahead >= std::min(wire_.window, most_ahead) && place_at(place_of(oldest_)).step->round != last_round_) return;
    const int number = place_of(next_);
    if (!pull(place_at(number))) {
      exhausted_ = true;
      return;
    }
    admit(number);
  }
}

void ScheduleRunner::admit(int number) {
  Place& place = place_at(number);
  const OrderedStep& step = *place.step;
  if (next_ < window_places) place.bounce_room = 0;
  ++next_;
  if (step.round != last_round_) last_round_ = step.round, round_ = 0;
  const std::uint64_t fence = wire_.fenced ? ~round_ : 0;
  round_ |= bit(number);
  window_.admit(number, step.message(), step.after | fence, step.after_issue);
}

/// The first of the places in the program's order.
int ScheduleRunner::oldest_of(std::uint64_t places) const {
  const int start = place_of(oldest_);
  return (start + std::countr_zero(std::rotr(places, start))) % window_places;
}

void ScheduleRunner::start_messages() {
  while (const std::uint64_t ready = window_.ready_messages()) {
    const int place = oldest_of(ready);
    window_.start(place);
    start_message(place);
  }
}

/// One ready reduction or copy, the earliest.  Returns whether there was one.
bool ScheduleRunner::run_local() {
  const std::uint64_t ready = window_.ready_locals();
  if (ready == 0) return false;
  const int number = oldest_of(ready);
  Place& place = place_at(number);
  const std::int64_t length = place.step->length;
  window_.start(number);
  if (place.step->late)
    copy_late(place);
  else if (place.step->kind == Kind::copy)
    pairwise(place.ranges, place.step->from, place.ranges + place.step->from, place.step->into,
             [this](const Range& from, const Range& into) { copy(address(from), from.count, address(into)); });
  else
    reduce(place);
  window_.end(number);
  if (length * unit_ >= long_work && !work_.requests.empty()) look();
  return true;
}

/// A copy to or from a learned position: to one, it tells the size.
void ScheduleRunner::copy_late(Place& place) {
  const OrderedStep& step = *place.step;
  const Range first = step.into > 0 ? place.ranges[step.from] : Range{};
  resolve(place);
  const Range* const into = place.ranges + step.from;
  const std::int64_t length = total(place.ranges, step.from);
  if (work_.bases[static_cast<std::size_t>(first.space)].learned) {
    work_.bases[static_cast<std::size_t>(first.space)] = {row(length), length, true};
    place.resolved[static_cast<std::size_t>(step.from)].count = length;
  }
  if (length > total(into, step.into)) throw MpiError(MPI_ERR_TRUNCATE, "own block");
  pairwise(place.ranges, step.from, into, step.into,
           [this](const Range& from, const Range& to) { copy(address(from), from.count, address(to)); });
}

void ScheduleRunner::reduce(const Place& place) {
  const OrderedStep& step = *place.step;
  const bool right = step.kind == Kind::reduce_right;
  pairwise(place.ranges, step.from, place.ranges + step.from, step.into, [&](const Range& from, const Range& into) {
    const std::byte* const operand = address(from);
    std::byte* const sum = address(into);
    combiner_->reducer()(right ? sum : operand, right ? operand : sum, sum, static_cast<std::size_t>(from.count));
  });
  require(combiner_->error(), "MPI_Reduce_local");
}

}  // namespace tutti::runtime

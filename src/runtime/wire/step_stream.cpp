#include "runtime/wire/step_stream.hpp"

#include "runtime/wire/private_comm.hpp"

namespace tutti::runtime {
namespace {

struct Touched {
  std::span<const Range> reads, writes;
};

/// A reduction reads what it writes, but writing already conflicts with everything.
Touched touched(const OrderedStep& step, std::span<const Range> ranges) {
  const auto from = static_cast<std::size_t>(step.from);
  return {ranges.first(from), ranges.subspan(from)};
}

bool share(std::span<const Range> some, std::span<const Range> others) {
  for (const Range& one : some)
    for (const Range& other : others)
      if (one.space == other.space && one.first < other.first + other.count && other.first < one.first + one.count)
        return true;
  return false;
}

bool conflict(const Touched& later, const Touched& earlier) {
  return share(later.writes, earlier.writes) || share(later.writes, earlier.reads) ||
         share(later.reads, earlier.writes);
}

}  // namespace

/// False where the step moves nothing.
bool StepStream::bind(const Step& step, Place& place) {
  place.step = {};
  const bool moves = binder_.bind(step, place.step, place.ranges);
  if (const auto* ended = std::get_if<Round>(&step)) {
    ++round_;
    if (ended->fence) fence_ = pulled_;
  }
  place.step.round = round_;
  if (place.step.set != no_set) place.step.tag = Tags::beginning(place.step.set);
  return moves;
}

void StepStream::order(Place& place, std::uint64_t busy) const {
  OrderedStep& step = place.step;
  const Touched mine = touched(step, place.ranges);
  step.after = busy & before_fence();
  each_place(busy, [&](int other) {
    const Place& earlier = places_[static_cast<std::size_t>(other)];
    if (&earlier == &place) return;
    if (conflict(mine, touched(earlier.step, earlier.ranges))) step.after |= bit(other);
    if (step.message() && step.tag == Tags::named && earlier.step.tag == Tags::named &&
        earlier.step.kind == step.kind && earlier.step.peer == step.peer)
      step.after_issue |= bit(other);
  });
}

/// Places that steps before the last fence may still hold: all but those of the steps since, this one included.
std::uint64_t StepStream::before_fence() const {
  const std::int64_t since = pulled_ - fence_ + 1;
  if (fence_ == 0 || since >= window_places) return 0;
  return ~std::rotl(bit(since) - 1, place_of(fence_));
}

bool StepStream::pull(std::uint64_t busy) {
  Place& place = places_[static_cast<std::size_t>(pulled_) % window_places];
  const Step* step = schedule_.next();
  while (step && !bind(*step, place)) step = schedule_.next();
  if (!step) return false;
  order(place, busy);
  ++pulled_;
  return true;
}

}  // namespace tutti::runtime

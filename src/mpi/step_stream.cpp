#include "mpi/binding.hpp"

#include "mpi/wire.hpp"

namespace tutti::mpi {
namespace {

using Kind = BoundStep::Kind;

template <class... Cases>
struct overloaded : Cases... {
  using Cases::operator()...;
};

struct Touched {
  std::span<const Range> reads, writes;
};

/// A reduction reads what it writes, but writing already conflicts with everything.
Touched touched(const BoundStep& step, std::span<const Range> ranges) {
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

void Binding::mark(const Round& ended) {
  ++round_;
  if (ended.fence) fence_ = pulled_;
}

/// One side's ranges.
template <class List>
void Binding::append(const List& blocks, Place& place, std::int32_t& count) const {
  BoundStep& bound = place.step;
  const std::size_t before = place.ranges.size();
  bound.length = 0;
  for (const Blocks& run : blocks) {
    bound.length += bound.sized ? spaces_.append_each(run, place.ranges) : spaces_.append(run, place.ranges);
    bound.token |= run.buffer == Buffer::token;
    bound.late |= spaces_.learned(run);
  }
  count = static_cast<std::int32_t>(place.ranges.size() - before);
}

bool Binding::bind(const Step& step, Place& place) {
  std::vector<Range>& ranges = place.ranges;
  BoundStep& bound = place.step;
  ranges.clear();
  bound = {};
  bound.round = round_;
  const auto side = [&](const auto& blocks, std::int32_t& count) { append(blocks, place, count); };
  std::visit(overloaded{
                 [&](const Area& area) { spaces_.declare(area); },
                 [&](const Peers&) {},  // told by the tag
                 [&](const Round& ended) { mark(ended); },
                 [&](const Send& send) {
                   bound.kind = Kind::send, bound.peer = send.to, bound.sized = send.sized;
                   if (send.set != no_set) bound.tag = Tags::beginning(send.set);
                   side(send.what, bound.from);
                 },
                 [&](const Receive& receive) {
                   bound.kind = Kind::receive, bound.peer = receive.from, bound.sized = receive.sized;
                   side(receive.into, bound.into);
                 },
                 [&](const ReceiveAny& receive) {
                   bound.kind = Kind::receive, bound.peer = any_peer, bound.tag = Tags::beginning(receive.set);
                   side(receive.into, bound.into);
                 },
                 [&](const Reduce& reduce) {
                   bound.kind = reduce.from_left ? Kind::reduce_left : Kind::reduce_right;
                   side(std::array{reduce.from}, bound.from);
                   side(std::array{reduce.into}, bound.into);
                 },
                 [&](const Copy& copy) {
                   bound.kind = Kind::copy;
                   side(copy.from, bound.from);
                   side(copy.into, bound.into);
                 },
             },
             step);
  const bool single = bound.from <= 1 && bound.into <= 1, only_orders = bound.token && bound.length == 0;
  bound.plain = only_orders || (single && !bound.late && !bound.sized);
  return bound.length > 0 || bound.token || bound.late || bound.sized;
}

void Binding::order(Place& place, std::uint64_t busy) const {
  BoundStep& step = place.step;
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
std::uint64_t Binding::before_fence() const {
  const std::int64_t since = pulled_ - fence_ + 1;
  if (fence_ == 0 || since >= window_places) return 0;
  return ~std::rotl(bit(since) - 1, place_of(fence_));
}

bool Binding::pull(std::uint64_t busy) {
  Place& place = places_[static_cast<std::size_t>(pulled_) % window_places];
  const Step* step = schedule_.next();
  while (step && !bind(*step, place)) step = schedule_.next();
  if (!step) return false;
  order(place, busy);
  ++pulled_;
  return true;
}

}  // namespace tutti::mpi

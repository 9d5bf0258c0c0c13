#include "mpi/execution.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "mpi/errors.hpp"
#include "mpi/pmpi.hpp"

namespace tutti::mpi {
namespace {

using Kind = BoundStep::Kind;

constexpr std::uint64_t bit(std::int64_t place) { return std::uint64_t{1} << place; }
constexpr int place_of(std::int64_t number) { return static_cast<int>(number % window_places); }

/// After a local step of so many bytes it is worth asking what has arrived meanwhile.
constexpr std::int64_t long_work = 8 * 1024;
/// Bytes of a piece that is reduced by way of a copy: fits into the first-level cache three times.
constexpr std::int64_t piece_bytes = 8 * 1024;
/// Longer messages are cut, on both sides by the same rule; MPI counts in int.
constexpr std::int64_t longest_message = 1 << 30;

/// Walks two lists of ranges side by side, in pieces that are one run on both.
template <class Action>
void pairwise(const Range* from, int froms, const Range* into, int intos, Action&& action) {
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

}  // namespace

Execution::Execution(Wire& wire, const Frame& frame, Combiner* combiner, int tag)
    : wire_(wire), work_(*wire.workspace), unit_(frame.unit), combiner_(combiner), tag_(tag), patience_(wire.polls) {
  work_.bases.assign(first_area_space, 0);
  work_.bases[input_space] = reinterpret_cast<std::uintptr_t>(frame.input);
  work_.bases[output_space] = reinterpret_cast<std::uintptr_t>(frame.output);
}

Execution::~Execution() {
  if (work_.requests.empty()) return;
  work_.in_doubt = true;
  work_.requests.abandon(receives_);
}

void Execution::copy(const std::byte* from, std::int64_t count, std::byte* into) const {
  if (from != into) std::memcpy(into, from, static_cast<std::size_t>(count * unit_));
}

std::byte* Execution::address(const Range& range) const {
  return reinterpret_cast<std::byte*>(work_.bases[static_cast<std::size_t>(range.space)] +
                                      static_cast<std::uintptr_t>(range.first * unit_));
}

/// Scratch for `count` elements.
std::byte* Execution::row(std::int64_t count) { return work_.arena.take(static_cast<std::size_t>(count * unit_)); }

void Execution::declare(const std::vector<std::int64_t>& areas) {
  for (std::size_t slot = 0; slot < areas.size(); ++slot) {
    const std::size_t space = first_area_space + slot;
    if (space >= work_.bases.size()) work_.bases.resize(space + 1, 0);
    if (work_.bases[space] == 0 && areas[slot] > 0)
      work_.bases[space] = reinterpret_cast<std::uintptr_t>(row(areas[slot]));
  }
}

void Execution::run(const Plan& plan) {
  declare(plan.areas);
  std::size_t pulled = 0;
  drive([&](Place& place) {
    if (pulled == plan.steps.size()) return false;
    place.step = &plan.steps[pulled++];
    place.ranges = plan.ranges.data() + place.step->first_range;
    return true;
  });
}

void Execution::run(Binding& binding) {
  drive([&](Place& place) {
    if (!binding.pull(incomplete_)) return false;
    declare(binding.areas());
    place.step = &binding.step();
    place.ranges = binding.ranges().data();
    return true;
  });
}

template <class Pull>
void Execution::drive(Pull&& pull) {
  for (;;) {
    fill(pull);
    if (incomplete_ == 0) {
      if (exhausted_) return;
      continue;
    }
    each_waiting(messages_, [this](int place) { start_message(place); });
    if (run_local()) continue;
    if (work_.requests.empty()) throw std::logic_error("a schedule waits for itself");
    if (look())
      patience_.found();
    else
      patience_.fruitless();
  }
}

/// Keeps the window full: `wire.window` steps, or to the end of the oldest incomplete round, for which freedom from
/// deadlock is proven.
template <class Pull>
void Execution::fill(Pull& pull) {
  while (oldest_ < next_ && !(incomplete_ & bit(place_of(oldest_)))) ++oldest_;
  while (!exhausted_) {
    const std::int64_t ahead = next_ - oldest_;
    if (ahead >= window_places) return;
    if (ahead >= wire_.window && place_at(place_of(oldest_)).step->round != last_round_) return;
    const int number = place_of(next_);
    Place& place = place_at(number);
    if (!pull(place)) {
      exhausted_ = true;
      return;
    }
    if (next_ < window_places) place.bounce = nullptr, place.bounce_room = 0;
    ++next_;
    last_round_ = place.step->round;
    const std::uint64_t mine = bit(number);
    incomplete_ |= mine, waiting_ |= mine;
    messages_ &= ~mine, receives_ &= ~mine;
    if (place.step->message()) messages_ |= mine, unissued_ |= mine;
    if (place.step->kind == Kind::receive) receives_ |= mine;
  }
}

/// Those of the waiting places that are ready, in the program's order.  A step waits for earlier ones alone: a place
/// may have been taken over by a later step meanwhile.
template <class Action>
void Execution::each_waiting(std::uint64_t among, Action&& action) {
  const int start = place_of(oldest_);
  for (std::uint64_t left = std::rotr(waiting_ & among, start); left != 0; left &= left - 1) {
    const int age = std::countr_zero(left);
    const int place = (start + age) % window_places;
    const std::uint64_t earlier = std::rotl(bit(age) - 1, start);
    const BoundStep& step = *place_at(place).step;
    if ((earlier & ((step.after & incomplete_) | (step.after_issue & unissued_))) == 0) action(place);
  }
}

/// One ready reduction or copy, the earliest.  Returns whether there was one.
bool Execution::run_local() {
  int chosen = -1;
  each_waiting(~messages_, [&](int place) {
    if (chosen < 0) chosen = place;
  });
  if (chosen < 0) return false;
  const Place& place = place_at(chosen);
  const BoundStep& step = *place.step;
  waiting_ &= ~bit(chosen);
  if (step.kind == Kind::copy)
    pairwise(place.ranges, step.from, place.ranges + step.from, step.into,
             [this](const Range& from, const Range& into) { copy(address(from), from.count, address(into)); });
  else
    reduce(place);
  incomplete_ &= ~bit(chosen);
  if (step.length * unit_ >= long_work && !work_.requests.empty()) look();
  return true;
}

void Execution::reduce(const Place& place) {
  const BoundStep& step = *place.step;
  const bool swap = step.kind == Kind::reduce_right && !combiner_->symmetric();
  pairwise(place.ranges, step.from, place.ranges + step.from, step.into, [&](const Range& from, const Range& into) {
    if (swap)
      reduce_right(address(from), address(into), from.count);
    else
      combiner_->reducer()(address(from), address(into), static_cast<std::size_t>(from.count));
  });
  require(combiner_->error(), "MPI_Reduce_local");
}

/// into = into (+) from.  Kernels leave their result in the right operand, so that one must be a copy of `from`; a
/// small piece at a time, so that the copy stays in the cache.
void Execution::reduce_right(const std::byte* from, std::byte* into, std::int64_t count) {
  const std::int64_t piece = std::max<std::int64_t>(piece_bytes / std::max<std::int64_t>(unit_, 1), 1);
  if (!right_) right_ = row(piece);
  for (std::int64_t done = 0; done < count; done += piece) {
    const std::int64_t now = std::min(piece, count - done);
    std::byte* const left = into + done * unit_;
    copy(from + done * unit_, now, right_);
    combiner_->reducer()(left, right_, static_cast<std::size_t>(now));
    copy(right_, now, left);
  }
}

/// Memory of the place's own for a message of several ranges.
std::byte* Execution::gathered(Place& place) {
  if (place.bounce_room < place.step->length) {
    place.bounce = row(place.step->length);
    place.bounce_room = place.step->length;
  }
  return place.bounce;
}

void Execution::start_message(int number) {
  Place& place = place_at(number);
  const BoundStep& step = *place.step;
  waiting_ &= ~bit(number);
  place.left = step.length;
  if (step.length == 0) {
    place.at = nullptr;
  } else if (step.from + step.into == 1) {
    place.at = address(place.ranges[0]);
  } else {
    place.at = gathered(place);
    std::int64_t done = 0;
    for (int i = 0; i < step.from; done += place.ranges[i++].count)
      copy(address(place.ranges[i]), place.ranges[i].count, place.at + done * unit_);
  }
  hand_over(number);
}

/// Hands the message's next chunk to MPI.  Both sides cut by the same rule.
void Execution::hand_over(int number) {
  Place& place = place_at(number);
  const BoundStep& step = *place.step;
  const std::int64_t now =
      std::min(place.left, std::max<std::int64_t>(longest_message / std::max<std::int64_t>(unit_, 1), 1));
  const auto bytes = static_cast<int>(now * unit_);
  MPI_Request request = MPI_REQUEST_NULL;
  if (step.kind == Kind::send)
    require(pmpi.Isend(place.at, bytes, MPI_BYTE, step.peer, tag_, wire_.comm, &request), "MPI_Isend");
  else
    require(pmpi.Irecv(place.at, bytes, MPI_BYTE, step.peer, tag_, wire_.comm, &request), "MPI_Irecv");
  work_.requests.add(request, number);
  place.left -= now;
  place.at = at(place.at, now * unit_);
  if (place.left == 0) unissued_ &= ~bit(number);
}

/// A chunk is through.
void Execution::arrived(int number) {
  Place& place = place_at(number);
  if (place.left > 0) return hand_over(number);
  const BoundStep& step = *place.step;
  if (step.kind == Kind::receive && step.into > 1 && step.length > 0) {
    std::int64_t done = 0;
    for (int i = 0; i < step.into; done += place.ranges[i++].count)
      copy(place.bounce + done * unit_, place.ranges[i].count, address(place.ranges[i]));
  }
  incomplete_ &= ~bit(number);
}

bool Execution::look() {
  return work_.requests.look([this](int place) { arrived(place); });
}

}  // namespace tutti::mpi

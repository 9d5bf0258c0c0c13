/// The messages of an execution: from ranges to requests and back.
///
/// A sized message begins with the number of elements of each of its ranges, 64 bits a range, and as much of the data
/// as fits into `with_sizes`.  Its receiver provides room for that much, learns the sizes, and then receives the rest.
/// So a short message is one MPI message, and no receiver has to probe for a length.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/wire/schedule_runner.hpp"

namespace tutti::runtime {
namespace {

using Kind = OrderedStep::Kind;

/// Longer messages are cut, on both sides by the same rule; MPI counts in int.
constexpr std::int64_t longest_message = 1 << 30;
/// Bytes of data that travel with the sizes.
constexpr std::int64_t with_sizes = 8 * 1024;

constexpr std::int64_t sizes_unit = sizeof(std::int64_t);

constexpr std::int64_t elements_in(std::int64_t bytes, std::int64_t unit) {
  return std::max<std::int64_t>(bytes / std::max<std::int64_t>(unit, 1), 1);
}

}  // namespace

inline void ScheduleRunner::post(Kind kind, std::int32_t peer, int tag, int number, std::byte* start,
                                 std::int64_t bytes) {
  const int length = static_cast<int>(bytes);
  const int other = peer == any_peer ? MPI_ANY_SOURCE : wire_.peers ? wire_.peers[peer] : peer;
  MPI_Request request = MPI_REQUEST_NULL;
  if (kind == Kind::send)
    require(pmpi.Isend(start, length, MPI_BYTE, other, tag_ + tag, wire_.comm, &request), "MPI_Isend");
  else
    require(pmpi.Irecv(start, length, MPI_BYTE, other, tag_ + tag, wire_.comm, &request), "MPI_Irecv");
  work_.requests.add(request, number);
}

inline void ScheduleRunner::post(const OrderedStep& step, int number, std::byte* start, std::int64_t bytes) {
  post(step.kind, step.peer, step.tag, number, start, bytes);
}

void ScheduleRunner::start_message(int number) {
  Place& place = place_at(number);
  const OrderedStep& step = *place.step;
  const std::int64_t bytes = step.length * unit_;
  if (step.plain && bytes <= longest_message) {
    place.left = 0;
    post(step, number, step.token ? nullptr : address(place.ranges[0]), bytes);
    return window_.issue(number);
  }
  place.head = step.sized;
  place.peer = step.peer, place.tag = step.tag;
  if (step.sized) return start_sized(number);
  if (step.late) return start_late(number);
  place.left = place.length = step.length;
  if (step.plain)
    place.at = address(place.ranges[0]);
  else
    gather(place);
  hand_over(number);
}

/// Gathers a message of several ranges in memory of its place; a receive gets room there.
void ScheduleRunner::gather(Place& place) {
  if (place.bounce_room < place.length) {
    place.bounce = row(place.length);
    place.bounce_room = place.length;
  }
  place.at = place.bounce;
  std::int64_t done = 0;
  for (int i = 0; i < place.step->from; done += place.ranges[i++].count)
    copy(address(place.ranges[i]), place.ranges[i].count, place.at + done * unit_);
}

/// The ranges of a late send as one row of memory, at `place.at`.
void ScheduleRunner::lay_out(Place& place) {
  resolve(place);
  place.length = 0;
  bool apart = false;
  const std::byte* end = nullptr;
  for (const Range& range : place.resolved) {
    if (range.count == 0) continue;
    if (place.length == 0) place.at = address(range);
    apart |= place.length > 0 && address(range) != end;
    end = address(range) + range.count * unit_;
    place.length += range.count;
  }
  place.left = place.length;
  if (apart) gather(place);
}

/// A message from learned positions to a rank that knows their sizes, and expects none where they are empty.
void ScheduleRunner::start_late(int number) {
  Place& place = place_at(number);
  lay_out(place);
  if (place.length > 0) return hand_over(number);
  window_.issue(number);
  window_.end(number);
}

void ScheduleRunner::start_sized(int number) {
  Place& place = place_at(number);
  const OrderedStep& step = *place.step;
  const std::int64_t most = elements_in(with_sizes, unit_), head = (step.from + step.into) * sizes_unit;
  std::byte* const start = work_.arena.take(static_cast<std::size_t>(head + most * unit_));
  if (step.kind == Kind::receive) {
    place.at = start, place.left = 0;
    return post(step, number, start, head + most * unit_);
  }
  lay_out(place);
  std::byte* next = start;
  for (const Range& range : place.resolved) std::memcpy(next, &range.count, sizes_unit), next += sizes_unit;
  const std::int64_t now = std::min(place.length, most);
  if (now > 0) copy(place.at, now, next);
  post(step, number, start, head + now * unit_);
  place.left -= now;
  place.at = at(place.at, now * unit_);
  if (place.left == 0) window_.issue(number);
}

/// The sizes have arrived, with the first of the data: positions get their memory.
void ScheduleRunner::heard(Place& place, int number) {
  const OrderedStep& step = *place.step;
  const std::int64_t most = elements_in(with_sizes, unit_);
  const std::byte* const sizes = place.at;
  std::byte* data = place.at + step.into * sizes_unit;
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(step.into));
  std::memcpy(lengths.data(), sizes, lengths.size() * sizes_unit);
  place.length = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  if (place.length > most) {
    std::byte* const all = row(place.length);
    copy(data, most, all);
    data = all;
  }
  place.left = std::max<std::int64_t>(place.length - most, 0);
  place.at = at(data, most * unit_);
  for (int i = 0; i < step.into; ++i) {
    const std::int64_t length = lengths[static_cast<std::size_t>(i)];
    work_.bases[static_cast<std::size_t>(place.ranges[i].space)] = {data, length, true};
    data = at(data, length * unit_);
  }
  if (place.left == 0) window_.issue(number);
}

/// Hands the message's next chunk to MPI.  Both sides cut by the same rule.
void ScheduleRunner::hand_over(int number) {
  Place& place = place_at(number);
  const std::int64_t now = std::min(place.left, elements_in(longest_message, unit_));
  post(place.step->kind, place.peer, place.tag, number, place.at, now * unit_);
  place.tag = Tags::after(place.tag);
  place.left -= now;
  place.at = at(place.at, now * unit_);
  if (place.left == 0) window_.issue(number);
}

/// The fragment is complete; for a message from any source, the other fragments come from the same rank.
void ScheduleRunner::arrived(int number, Rank source) {
  Place& place = place_at(number);
  const OrderedStep& step = *place.step;
  if (step.plain && place.left == 0) return window_.end(number);
  if (place.head) {
    place.head = false;
    if (step.kind == Kind::receive) heard(place, number);
  }
  if (place.peer == any_peer) place.peer = wire_.places ? wire_.places[source] : source;
  if (place.left > 0) return hand_over(number);
  if (step.kind == Kind::receive && step.into > 1 && step.length > 0) {
    std::int64_t done = 0;
    for (int i = 0; i < step.into; done += place.ranges[i++].count)
      copy(place.bounce + done * unit_, place.ranges[i].count, address(place.ranges[i]));
  }
  window_.end(number);
}

void ScheduleRunner::look() {
  work_.requests.look([this](int place, Rank source) { arrived(place, source); });
}

void ScheduleRunner::await() {
  work_.requests.await(backoff_, [this](int place, Rank source) { arrived(place, source); });
}

}  // namespace tutti::runtime

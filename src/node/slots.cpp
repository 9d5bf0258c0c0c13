#include "node/slots.hpp"

#include <algorithm>
#include <utility>

#include "clock/cycles.hpp"
#include "node/placement.hpp"

namespace tutti::node {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t least_capacity = 256;
/// About 2 us: those on another CPU get there in turn, a context switch (1.2 us) apart.
constexpr int spins_for_elsewhere = 50;

constexpr std::size_t chunk_of(const TeamOptions& options) {
  return options.chunk != 0 ? std::max(options.chunk, least_capacity) : chunks[1];
}

constexpr std::size_t rounded_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

/// The stride is an odd number of line pairs: slots at powers of two would fight for the same cache sets.
Slots::Sizes::Sizes(const TeamOptions& options)
    : capacity(rounded_up(chunk_of(options), 64)),
      stride(rounded_up(capacity + payload_offset, 128) | 128),
      area(rounded_up(sizeof(Header) + depth * stride, page_bytes)) {}

std::size_t Slots::bytes(const TeamOptions& options) {
  return static_cast<std::size_t>(options.size) * Sizes(options).area;
}

Slots::Slots(Segment segment, const TeamOptions& options)
    : segment_(std::move(segment)),
      me_(options.me),
      size_(options.size),
      sizes_(options),
      seats_({reinterpret_cast<std::byte*>(&header(0).seat), sizes_.area},
             {options.me, options.size, options.cpus, options.spread}),
      left_by_(static_cast<std::size_t>(options.size), 0),
      waiter_(options.size > options.cpus, options.poke),
      landings_(options.size),
      demotes_(asks_clock_for_brief && !seats_.crowded() && can_demote()),
      long_from_(demotes_ ? Stores::least_beside_brief : Stores::least) {
  place_on_my_node(area(me_), sizes_.area);
  scratch(sizes_.capacity);
}

/// Each of the others in its turn.
const ReadCosts& Slots::next_reader(Traffic traffic) {
  do listened_ = (listened_ + 1) % size_;
  while (listened_ == me_);
  return header(listened_).costs[static_cast<std::size_t>(traffic)];
}

void Slots::fill_brief_timed(Way way, std::byte* into, const std::byte* from, std::size_t bytes) {
  note_ = brief_stores_.copy_timed(way, into, from, bytes);
  if (size_ > 1) brief_stores_.heard(next_reader(Traffic::brief));
}

/// Where the time was taken, one of the others has its say.
Note Slots::fill_long(Traffic traffic, std::byte* into, const std::byte* from, std::size_t bytes) {
  Stores& stores = stores_[static_cast<std::size_t>(traffic)];
  const Note note = stores.copy(into, from, bytes);
  if (stores.went_past()) filled_to_ = nullptr;  // such lines are not asked for
  if (note != 0 && size_ > 1) stores.heard(next_reader(traffic));
  return note;
}

[[gnu::noinline]] std::size_t Slots::told_otherwise(int member, Turn turn) const {
  return static_cast<std::size_t>(note(member, turn) >> told_shift);
}

void Slots::read_timed(Traffic traffic, Note note, std::byte* into, const std::byte* from, std::size_t bytes) {
  constexpr double line = 64;
  const std::uint64_t begin = cycle_count();
  landings_.copy(into, from, bytes);
  const double cycles = static_cast<double>(cycle_count() - begin) * line / static_cast<double>(bytes);
  header(me_).costs[static_cast<std::size_t>(traffic)].took(way_of(note), cycles);
}

void Slots::await_left(int member, Turn turn) {
  Turn& known = left_by_[static_cast<std::size_t>(member)];
  if (known >= turn) return;
  waiter_.until(progress(member), turn, bell(member));
  known = progress(member).load(std::memory_order_acquire);
}

void Slots::await_readers(const Use& use) {
  if (use.reader == nobody) return;
  if (use.reader != everybody) return await_left(use.reader, use.turn);
  Turn least = last_;
  for (int member = 0; member < size_; ++member) {
    if (member == me_) continue;
    await_left(member, use.turn);
    least = std::min(least, left_by_[static_cast<std::size_t>(member)]);
  }
  left_by_all_ = std::max(left_by_all_, least);
}

/// First for those who wait for my CPU.  To look at what others write takes the line from where they are about to write
/// it: they are asked once all who are here have come.  Nor is there anybody then whom a yield would help: it would
/// only wake others that wait as I do, each for a context switch, and I should see the last arrival one or more too
/// late.
void Slots::await_all_crowded(Turn turn) {
  const auto [others, beside_me] = seats_.others();
  for (std::size_t i = 0; i < beside_me; ++i) await(others[i], turn);
  std::size_t i = beside_me;
  for (int spin = 0; spin < spins_for_elsewhere; ++spin) {
    for (; i < others.size() && has_posted(others[i], turn); ++i) hear(others[i], turn);
    if (i == others.size()) return;
    pause();
  }
  for (; i < others.size(); ++i) await(others[i], turn);
}

std::byte* Slots::scratch(std::size_t bytes) {
  constexpr std::size_t line = 64;
  if (scratch_bytes_ < bytes) scratch_.reset(new std::byte[bytes + line]), scratch_bytes_ = bytes;
  const auto address = reinterpret_cast<std::uintptr_t>(scratch_.get());
  return scratch_.get() + (line - address % line);
}

}  // namespace tutti::node

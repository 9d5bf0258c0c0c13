#include "shm/sync/slots.hpp"

#include <algorithm>
#include <utility>

#include "clock/cycles.hpp"
#include "shm/segment/placement.hpp"

namespace tutti::shm {
namespace {

/// About 2 us: members on another CPU arrive one context switch (1.2 us) apart.
constexpr int spins_for_elsewhere = 50;

/// For each traffic but brief payloads.
std::array<StorePolicy, traffics - 1> store_policies(bool learns) {
  std::array<StorePolicy, traffics - 1> policies;
  policies.fill(StorePolicy(learns));
  return policies;
}

}  // namespace

std::size_t Slots::bytes(const ShmGroupOptions& options) {
  return static_cast<std::size_t>(options.size) * Sizes(options).area;
}

Slots::Slots(Segment segment, const ShmGroupOptions& options, std::byte* long_rings)
    : SlotAreas(std::move(segment), options),
      me_(options.me),
      size_(options.size),
      balancer_({reinterpret_cast<std::byte*>(&header(0).last_cpu), sizes_.area},
                {options.me, options.size, options.cpus, options.spread}),
      left_by_(static_cast<std::size_t>(options.size), 0),
      backlog_(segment_.data() + sizes_.slots, sizes_.area, options.me, sizes_.ring),
      long_ring_(long_rings, options),
      deposits_(long_rings + static_cast<std::size_t>(options.size) * options.long_ring, options),
      waiter_(options.size > options.cpus, options.progress, options.suspend),
      stores_(store_policies(options.learners.has(Learner::stores))),
      landings_(options.size, options.learners.has(Learner::landings)),
      demotes_(asks_clock_for_brief && options.learners.has(Learner::brief) && !balancer_.oversubscribed() &&
               can_demote()),
      long_from_(demotes_ ? StorePolicy::least_beside_brief : StorePolicy::least) {
  place_on_my_node(area(me_), sizes_.slots);  // most programs never need the backlog: its pages are not touched
  scratch(sizes_.capacity);
}

std::size_t Slots::piece(std::size_t bytes) const {
  constexpr std::size_t least = 16 * 1024, parts = 4, unit = 1024;
  if (balancer_.oversubscribed() || bytes <= least) return sizes_.capacity;
  return std::min(sizes_.capacity, std::max(least, bytes / parts / unit * unit));
}

/// Pieces hold whole elements: each may be short of one.
bool Slots::gives_all(std::size_t bytes, std::size_t unit) const {
  return bytes == 0 || bytes + most_given * unit <= most_given * piece(bytes);
}

/// Visits the other members round robin.
const ReadCosts& Slots::next_reader(Traffic traffic) {
  do listened_ = (listened_ + 1) % size_;
  while (listened_ == me_);
  return header(listened_).costs[static_cast<std::size_t>(traffic)];
}

void Slots::fill_brief(std::byte* into, const std::byte* from, std::size_t bytes) {
  const auto [way, timed] = brief_stores_.next();
  demoted_to_ = way == Way::non_temporal ? into + bytes : nullptr;
  timed ? fill_brief_timed(way, into, from, bytes) : copy_bytes(into, from, bytes);
}

void Slots::fill_brief_timed(Way way, std::byte* into, const std::byte* from, std::size_t bytes) {
  note_ = brief_stores_.copy_timed(way, into, from, bytes);
  if (size_ > 1) brief_stores_.heard(next_reader(Traffic::brief));
}

/// Where a write was timed, one reader's published cost is taken as well.
Note Slots::fill_long(Traffic traffic, std::byte* into, const std::byte* from, std::size_t bytes) {
  StorePolicy& stores = stores_[static_cast<std::size_t>(traffic)];
  const Note note = stores.copy(into, from, bytes);
  if (stores.went_non_temporal()) next_lines_.filled_to(nullptr);  // such lines are not prefetched
  if (note != 0 && size_ > 1) stores.heard(next_reader(traffic));
  return note;
}

Note Slots::fill_ring(std::byte* into, const std::byte* from, std::size_t bytes, int last_reader) {
  if (bytes >= StorePolicy::least && !waits_for_my_cpu(last_reader)) return fill_long(Traffic::ring, into, from, bytes);
  copy_bytes(into, from, bytes);
  return 0;
}

/// Demotes the slot's lines except that of the turn number, which readers poll.
void Slots::hand_over(Turn turn) {
  constexpr std::ptrdiff_t line = 64, most = 4096;
  const std::byte* const begin = slot(me_, turn);
  if (demoted_to_ - begin <= most) demote(begin + line, demoted_to_);
  demoted_to_ = nullptr;
}

bool Slots::has_posted(int member, Turn turn, bool ahead) const {
  return mark(member, turn).load(std::memory_order_acquire) >= turn ||
         (ahead && newest_ahead(member).load(std::memory_order_acquire) >= turn);
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

/// Whether that holds for the readers of memory with that use, one after the other.
template <typename HasLeft>
bool Slots::by_readers(const Use& use, HasLeft has_left) {
  if (use.turn <= left_by_all_ || use.reader == nobody) return true;
  if (use.reader != everybody) return has_left(use.reader);
  Turn least = last_;
  for (int member = 0; member < size_; ++member) {
    if (member == me_) continue;
    if (!has_left(member)) return false;
    least = std::min(least, left_by_[static_cast<std::size_t>(member)]);
  }
  left_by_all_ = std::max(left_by_all_, least);
  return true;
}

void Slots::await_readers(const Use& use) {
  by_readers(use, [&](int member) { return await_left(member, use.turn), true; });
}

bool Slots::has_left(int member, Turn turn) {
  Turn& known = left_by_[static_cast<std::size_t>(member)];
  if (known < turn) known = progress(member).load(std::memory_order_acquire);
  return known >= turn;
}

bool Slots::have_left(const Use& use) {
  return by_readers(use, [&](int member) { return has_left(member, use.turn); });
}

/// Spins as long as any wait would, or yields the CPU once.
bool Slots::leave_soon(const Use& use) {
  return by_readers(use, [&](int member) {
    return has_left(member, use.turn) || (waiter_.briefly(progress(member), use.turn) && has_left(member, use.turn));
  });
}

std::byte* Slots::in_long_ring(Turn turn, std::size_t bytes, std::byte* otherwise) {
  long_at_ = reserve_long(LongRing::slot(turn), bytes);
  return long_at_ == LongRing::none ? otherwise : long_ring_.mine(long_at_);
}

const std::byte* Slots::in_long_ring(int member, const std::byte* payload) {
  LongRing::Position position = 0;
  std::memcpy(&position, payload, sizeof position);
  return long_ring_.announced(member, position);
}

/// Where the payload of the turn that I post lies.  Its lines are not asked for: they have not been used for long.
void Slots::say_where(Turn turn) {
  std::memcpy(slot(me_, turn) + payload_offset, &long_at_, sizeof long_at_);
  long_at_ = LongRing::none, note_ |= elsewhere;
  next_lines_.filled_to(nullptr);
}

/// The payload of an entry in the backlog; null once the slot is free.  Waits briefly for readers that follow closely,
/// because slots are in everybody's caches; not again for readers for which a wait was in vain, until they advance.
/// Without room, waits for the oldest post: it is at least `depth` turns old, so that wait ends.
std::byte* Slots::go_ahead(const Use& use, Turn turn, std::size_t bytes) {
  for (;;) {
    if (have_left(use)) return nullptr;
    if (bytes > Backlog::longest(sizes_.ring)) return deposit_ahead(use, turn, bytes);
    if (have_left(late_)) {
      if (leave_soon(use)) return nullptr;
      late_ = use;
    }
    while (!backlog_.empty() && have_left(backlog_.oldest())) backlog_.free_oldest();
    if (std::byte* const payload = backlog_.reserve(turn, bytes)) return next_in_ = Memory::backlog, payload;
    await_oldest(use);
  }
}

/// The same for long payloads: an entry in the backlog says where one lies.  Waits longer, but not again for readers
/// for which a wait was in vain, until they advance.
std::byte* Slots::deposit_ahead(const Use& use, Turn turn, std::size_t bytes) {
  if (!deposits_.hold(bytes)) return await_readers(use), nullptr;
  for (;;) {
    const auto leave_in_time = [&](int member) {
      return has_left(member, use.turn) || (soon(progress(member), use.turn, bytes) && has_left(member, use.turn));
    };
    if (have_left(use) || (have_left(late_) && by_readers(use, leave_in_time))) return nullptr;
    late_ = use;
    while (!backlog_.empty() && have_left(backlog_.oldest())) backlog_.free_oldest();
    const Deposits::Position position = reserve_deposit({turn, everybody}, bytes);
    std::byte* const entry = position != Deposits::none ? backlog_.reserve(turn, sizeof position) : nullptr;
    if (entry != nullptr) {
      std::memcpy(entry, &position, sizeof position);
      return next_in_ = Memory::deposits, deposits_.mine(position);
    }
    if (position != Deposits::none) deposits_.give_back();
    await_oldest(use);
  }
}

Deposits::Position Slots::reserve_deposit(const Use& use, std::size_t bytes) {
  deposits_.free([&](const Use& earlier) { return have_left(earlier); });
  return deposits_.reserve(use, bytes);
}

/// One member may have to move all the others' bytes first.  With a wait so long members who come together deposit
/// nothing, and a loop of calls whose root is the slowest stays at the root's own speed.
bool Slots::soon(const std::atomic<std::uint64_t>& word, std::uint64_t value, std::size_t bytes) {
  return waiter_.within(word, word, value, of_all_others(bytes));
}

bool Slots::posts_soon(int member, Turn turn, std::size_t bytes) {
  return waiter_.within(mark(member, turn), newest_ahead(member), turn, of_all_others(bytes));
}

/// Until the readers have left whatever of it, of the backlog and of the deposits was posted first.
void Slots::await_oldest(const Use& use) {
  Use oldest = use;
  if (!backlog_.empty() && backlog_.oldest().turn < oldest.turn) oldest = backlog_.oldest();
  deposits_.free([&](const Use& earlier) { return have_left(earlier); });
  if (!deposits_.empty() && deposits_.oldest().turn < oldest.turn) oldest = deposits_.oldest();
  await_readers(oldest);
}

/// In the backlog, or where an entry of it says.
const std::byte* Slots::posted_ahead(int member, Turn turn) {
  const Note note = backlog_.note(member, turn).load(std::memory_order_relaxed);
  const std::byte* const entry = backlog_.payload(member, turn);
  Forfeits::hear(note);
  if ((note & deposited) == 0) return entry;
  Deposits::Position position = 0;
  std::memcpy(&position, entry, sizeof position);
  return deposits_.of(member, position);
}

void Slots::post_ahead(Turn turn, int reader, std::size_t told) {
  if (next_in_ == Memory::deposits) note_ |= deposited, deposits_.reads_newest(reader);
  note_place();
  backlog_.keep(turn, reader, note_ | marks_ | static_cast<Note>(told) << told_shift);
  next_in_ = Memory::slot, note_ = 0, demoted_to_ = nullptr;
  next_lines_.filled_to(nullptr);
  newest_ahead(me_).store(turn, std::memory_order_release);
  notify(bell(me_));
}

/// First for members on my CPU.  Reading another member's line takes it from the CPU that is about to write it, so the
/// others are read once all members of my CPU have posted.  From then on a yield helps nobody: it would only wake other
/// waiting members, a context switch each, and delay the detection of the last arrival.
void Slots::await_all_oversubscribed(Turn turn, bool ahead) {
  const auto [others, beside_me] = balancer_.others();
  const auto wait_for = [&](int member) { ahead ? static_cast<void>(await(member, turn)) : await_slot(member, turn); };
  for (std::size_t i = 0; i < beside_me; ++i) wait_for(others[i]);
  std::size_t i = beside_me;
  for (int spin = waiter_.suspends() ? spins_for_elsewhere : 0; spin < spins_for_elsewhere; ++spin) {
    for (; i < others.size() && has_posted(others[i], turn, ahead); ++i) Forfeits::hear(note(others[i], turn));
    if (i == others.size()) return;
    pause();
  }
  for (; i < others.size(); ++i) wait_for(others[i]);
}

}  // namespace tutti::shm

#include "shm/collectives/pair_reductions.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "clock/cycles.hpp"

namespace tutti::shm {
namespace {

/// Bytes read at a time, so that they are still in the core's own caches when they are combined.
constexpr std::size_t piece_bytes = std::size_t{256} << 10;

}  // namespace

bool PairReductions::Offer::comes_first() {
  std::uint64_t found = 0;
  return taken.compare_exchange_strong(found, 1, std::memory_order_acq_rel);
}

/// Whether the root does not come, and my contribution is deposited.
bool PairReductions::deposits(Turn turn, const Part& part, Offer& mine) {
  if (slots_.forfeits() || slots_.posts_soon(other(), turn, part.bytes())) return false;
  mine.deposit = slots_.reserve_deposit({turn, other()}, part.bytes());
  if (mine.deposit == Deposits::none) return false;
  copy_bytes(slots_.deposits().mine(mine.deposit), part.in, part.bytes());
  slots_.ring();
  if (mine.comes_first()) return true;
  slots_.deposits().give_back();
  return false;
}

/// The first turn of a reduce whose contribution may be deposited: then it is the only one.
PairReductions::Said PairReductions::open_reduce(const Opening& mine, const Part& part) {
  const Turn turn = slots_.take();
  std::byte* const slot = slots_.writable(turn);
  if (!slots_.forfeits()) [[likely]]
    std::memcpy(slot, &mine, sizeof mine);
  offer(slot).taken.store(0, std::memory_order_relaxed);
  slots_.post(turn, Slots::everybody);
  if (!part.reads && deposits(turn, part, offer(slot))) return slots_.leave(turn), Said::deposited;
  const std::byte* const heard = slots_.await(other(), turn);
  if (part.reads && (slots_.note(other(), turn) & Slots::hollow) == 0) {
    Offer& theirs = offer(const_cast<std::byte*>(heard));
    if (!theirs.comes_first()) {
      if (!slots_.forfeits()) combine(part, 0, part.count, slots_.deposits().of(other(), theirs.deposit), part.out);
      return slots_.leave(turn), Said::deposited;
    }
  }
  return conclude(turn, mine, heard);
}

PairReductions::Said PairReductions::exchange(const Opening& mine) {
  const Turn turn = slots_.take();
  std::byte* const slot = slots_.writable(turn);
  if (!slots_.forfeits()) [[likely]]
    std::memcpy(slot, &mine, sizeof mine);
  slots_.post(turn, Slots::everybody);
  return conclude(turn, mine, slots_.await(other(), turn));
}

PairReductions::Said PairReductions::conclude(Turn turn, const Opening& mine, const std::byte* heard) {
  Opening theirs{};
  if (const bool hollow = (slots_.note(other(), turn) & Slots::hollow) != 0; hollow || slots_.forfeits()) [[unlikely]]
    return slots_.met(turn), Said::forfeited;
  std::memcpy(&theirs, heard, sizeof theirs);
  slots_.met(turn);
  theirs_ = theirs.start;
  goes_once_ = (mine.once | theirs.once) != 0;
  return mine.start != nullptr && theirs.start != nullptr ? Said::both : Said::refused;
}

/// Bytes of what is read at once.
std::size_t PairReductions::piece(const Part& part) {
  return std::min(part.bytes(), std::max(piece_bytes, part.op.unit));
}

/// In place and longer than a piece: the result is buffered until the other member has read.
void PairReductions::open(Pattern pattern, const Part& part, std::size_t bytes, int decider, const Borders& borders) {
  const bool fixed = bytes >= borders.single_copy, decides = decider == slots_.me();
  choice_ = nullptr, bytes_ = bytes, memory_ = nullptr;
  choices_.note_long_ring(slots_.long_ring().in_use());
  bool once = fixed;
  if (decides && !fixed && !slots_.forfeits()) {
    CopyChoice& choice = *choices_.of(pattern, part.in, bytes, borders.by_clock, 2 * bytes, 2).choice;
    if (learns_) (choice_ = &choice)->begin();
    once = choice.once();
  }
  const std::size_t aside = part.in_place() && part.bytes() > piece(part) ? part.bytes() : 0;
  try {
    if (part.reads) memory_ = slots_.scratch(piece(part) + aside);
  } catch (const std::bad_alloc&) {
    memory_ = nullptr;
  }
  const bool able = memory_ != nullptr || !part.reads;
  const Opening mine{able ? part.in : nullptr, decides && once ? std::size_t{1} : 0};
  said_ = may_deposit_ ? open_reduce(mine, part) : exchange(mine);
  goes_once_ = goes_once_ && said_ == Said::both;
  if (goes_once_) slots_.long_ring().takes(part.in, bytes);  // slots ask it themselves, once
  if (said_ != Said::both) choice_ = nullptr;
  began_ = choice_ != nullptr && choice_->timed() ? cycle_count() : 0;
}

bool PairReductions::once(const Part& part) {
  return part.bytes() == piece(part) ? read_at_once(part) : read_in_pieces(part);
}

void PairReductions::combine(const Part& part, std::size_t offset, std::size_t count, const std::byte* theirs,
                             std::byte* into) const {
  const std::byte* const mine = part.in + part.offset + offset;
  slots_.me() == 0 ? part.op(mine, theirs, into, count) : part.op(theirs, mine, into, count);
}

bool PairReductions::read_at_once(const Part& part) {
  const bool read = !part.reads || single_copy_.read(other(), theirs_ + part.offset, memory_, part.bytes());
  if (exchange({read ? part.in : nullptr, 1}) != Said::both) return false;
  if (part.reads) combine(part, 0, part.count, memory_, part.out);
  return true;
}

bool PairReductions::read_in_pieces(const Part& part) {
  const std::size_t unit = part.op.unit, each = std::max<std::size_t>(piece_bytes / unit, 1);
  std::byte* const into = part.in_place() ? memory_ + piece(part) : part.out;
  bool read = true;
  for (std::size_t done = 0; part.reads && read && done < part.count; done += each) {
    const std::size_t count = std::min(each, part.count - done), offset = done * unit;
    read = single_copy_.read(other(), theirs_ + part.offset + offset, memory_, count * unit);
    if (read) combine(part, offset, count, memory_, into + offset);
  }
  if (exchange({read ? part.in : nullptr, 1}) != Said::both) return false;
  if (part.reads && part.in_place()) copy_bytes(part.out, into, part.bytes());
  return true;
}

void PairReductions::close(bool once) {
  constexpr double line = 64;
  if (began_ != 0)
    choice_->took(once, static_cast<double>(cycle_count() - began_) * line / static_cast<double>(bytes_));
  choice_->end();
}

}  // namespace tutti::shm

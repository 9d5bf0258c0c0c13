/// Blocks that are copied once, on the writer's side; and what becomes of blocks whose readers do not come.
#include <algorithm>

#include "clock/cycles.hpp"
#include "shm/collectives/exchange.hpp"

namespace tutti::shm {

/// Returns what a timed block cost both sides: the reader from its arrival on, and me while the reader was there.
double Exchange::await_answer(const Row& row) {
  RendezvousHeader& rendezvous = *row.rendezvous;
  double mine = 0;
  if (!rendezvous.alone) {
    mine = joint_copy_.write(joint(row), row.member);
  } else {
    const std::uint64_t begin = row.timed ? cycle_count() : 0;
    slots_.until(rendezvous.answer, RendezvousHeader::copied, row.member);
    if (row.timed) mine = static_cast<double>(cycle_count() - begin);
  }
  const double reader = rendezvous.cycles.load(std::memory_order_relaxed);
  return reader + (rendezvous.alone ? std::min(mine, reader) : mine);
}

/// Removes rows that have been copied, or deposited.
void Exchange::collect_answers() {
  std::erase_if(out_, [&](const Row& row) {
    if (row.rendezvous == nullptr) return false;
    if (takes_back(row)) return true;
    const double cycles = await_answer(row);
    if (row.timed) trials_.answered(*row.rendezvous, cycles);
    return row.rendezvous->is_copied();
  });
}

/// Copies that part of the row there; none without room.  A root that sends all readers the same block does so once.
Deposits::Position Exchange::deposit(const Row& row, const std::byte* from, std::size_t bytes) {
  const auto same = [&](const Row& other) {
    return other.block.start == row.block.start && other.sent == row.sent && other.next == row.next;
  };
  const bool shared = out_.size() > 1 && std::all_of(out_.begin(), out_.end(), same);
  if (shared && shared_from_ == from) return shared_at_;
  const Deposits::Position at = slots_.reserve_deposit({turn_, shared ? Slots::everybody : row.member}, bytes);
  if (at == Deposits::none) return at;
  copy_bytes(slots_.deposits().mine(at), from, bytes);
  if (shared) shared_from_ = from, shared_at_ = at;
  return at;
}

/// Whether the block is deposited, because its reader does not come.  Only the first reader is waited for: the others
/// have had that time too.
bool Exchange::takes_back(const Row& row) {
  RendezvousHeader& rendezvous = *row.rendezvous;
  if (!may_deposit(row.sent)) return false;
  if (late_ ? rendezvous.answer.load(std::memory_order_acquire) != RendezvousHeader::none
            : slots_.soon(rendezvous.answer, RendezvousHeader::open, row.sent))
    return false;
  late_ = true;
  const bool fresh = shared_from_ != row.block.start;
  rendezvous.deposit = deposit(row, row.block.start, row.sent);
  if (rendezvous.deposit == Deposits::none) return false;
  slots_.ring();
  if (!rendezvous.comes_first(RendezvousHeader::withdrawn)) {
    if (fresh) slots_.deposits().give_back(), shared_from_ = nullptr;
    return false;
  }
  if (row.timed) trials_.dropped();
  return true;
}

/// Whether what the ring has no room for is deposited.  Its chunks lie as they would in the block.
bool Exchange::deposits_rest(Row& row) {
  const std::size_t done = row.next * row.chunk;
  if (row.ring == nullptr || rings_.writable(row.number())) return false;
  if (!late_ && rings_.writable_soon(row.number(), row.sent)) return false;
  late_ = true;
  const Deposits::Position at = deposit(row, row.block.start + done, row.sent - done);
  if (at == Deposits::none) return false;
  row.ring->deposit = at - done;  // modulo 2^64
  row.next = (row.sent + row.chunk - 1) / row.chunk;
  row.ring->answer.store(row.number() - 1, std::memory_order_release);
  slots_.ring();
  if (row.timed) trials_.dropped();
  return true;
}

/// From that byte of the block on, as far as there is room.
void Exchange::read_deposit(const Row& row, std::size_t offset) {
  const std::size_t bytes = row.block.bytes - std::min(row.block.bytes, offset);
  if (bytes != 0)
    slots_.land(row.block.start + offset, slots_.deposits().of(row.member, row.rendezvous->deposit + offset), bytes);
}

void Exchange::read_rest(Row& row) {
  read_deposit(row, row.next * row.chunk);
  row.next = (row.sent + row.chunk - 1) / row.chunk;
}

}  // namespace tutti::shm

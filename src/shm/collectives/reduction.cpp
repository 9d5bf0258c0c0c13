/// Reduce and allreduce where every reader combines all contributions itself.
#include <algorithm>
#include <array>

#include "shm/collectives/collectives.hpp"

namespace tutti::shm {
namespace {

/// Chunks that a member posts before it combines the first.
constexpr std::size_t ahead = Slots::most_given;

/// Combines one chunk into the output.
void combine(Slots& slots, const Reduction& work, Turn turn, std::size_t first, std::size_t count) {
  const std::size_t offset = first * work.op.unit;
  const std::byte* const mine = work.in + offset;
  std::byte* const out = work.out + offset;
  // In place: my own contribution must be kept until its turn in the order.
  const bool direct = work.in != work.out || slots.me() >= slots.size() - 2;
  const auto row = [&](int member) { return member == slots.me() ? mine : slots.await(member, turn); };
  fold(work.op, count, slots.size(), row, out, direct ? out : slots.scratch(slots.capacity()));
}

}  // namespace

void reduce_short(Slots& slots, const Reduction& work, int reader) {
  const Turn turn = slots.take();
  const bool all = reader == Slots::everybody, read = all || reader == slots.me();
  if ((all || !read) && slots.gives()) {
    std::byte* const slot = all ? slots.writable(turn) : slots.writable_ahead(turn, work.bytes());
    if (!slots.forfeits()) [[likely]]
      copy_few(slot, work.in, work.bytes());
    slots.post(turn, reader);
  }
  if (!slots.takes()) return;
  if (all) slots.await_all(turn);
  if (read) {
    alignas(16) std::array<std::byte, Slots::line_bytes> between;
    const auto row = [&](int member) {
      if (member == slots.me()) return work.in;
      return all ? slots.posted(member, turn) : slots.await(member, turn);
    };
    fold(work.op, work.count, slots.size(), row, work.out, between.data());
  }
  if (all)
    slots.met(turn);
  else
    slots.leave(turn);
}

void reduce_flat(Slots& slots, const Reduction& work, int reader) {
  const Chunks chunks(work, reader == Slots::everybody ? slots.capacity() : slots.piece(work.bytes()));
  const std::size_t number = chunks.number();
  const Turn first = slots.take(std::max<std::size_t>(number, 1));
  const bool all = reader == Slots::everybody, read = all || reader == slots.me(), write = all || !read;
  std::size_t posted = slots.gives() ? 0 : ahead;
  for (std::size_t chunk = 0; chunk < number; ++chunk) {
    for (; write && posted < std::min(number, chunk + ahead); ++posted) {
      const std::size_t bytes = chunks.length(posted) * work.op.unit;
      const std::byte* const from = work.in + chunks.first(posted) * work.op.unit;
      const Turn turn = first + posted;
      const bool may_go_ahead = !all && (number == 1 || slots.deposits().hold(bytes));
      slots.fill(may_go_ahead ? slots.writable_ahead(turn, from, bytes) : slots.writable(turn, from, bytes), from,
                 bytes);
      slots.post(first + posted, reader);
    }
    if (!slots.takes()) return;
    if (read) combine(slots, work, first + chunk, chunks.first(chunk), chunks.length(chunk));
    if (!all || number > 1) slots.leave(first + chunk);
  }
  if (number == 0) slots.leave(first);
  if (all && number == 1) slots.met(first);
}

void reduce_large_elements(Slots& slots, const Reduction& work, int reader) {
  const std::size_t unit = work.op.unit, copied = slots.forfeits() ? 0 : unit;
  std::byte* const other = slots.scratch(slots.forfeits() ? 0 : 2 * unit);
  std::byte* const sum = other + unit;
  for (std::size_t element = 0; element < work.count; ++element) {
    const std::byte* const mine = work.in + element * unit;
    const auto row = [&](int member) -> const std::byte* {
      std::byte* const at = member == slots.size() - 1 ? sum : other;
      if (member == slots.me()) std::memcpy(at, mine, copied);
      bcast(slots, at, unit, member);
      return at;
    };
    fold(work.op, 1, slots.size(), row, sum);
    if (reader == Slots::everybody || reader == slots.me()) std::memcpy(work.out + element * unit, sum, copied);
  }
}

}  // namespace tutti::shm

#pragma once
/// The collectives of a group on its slots.  `group.cpp` chooses among them; each is right for any size.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "shm/collectives/exchange.hpp"
#include "shm/copy/copy.hpp"
#include "shm/reducer.hpp"
#include "shm/sync/slots.hpp"

namespace tutti::shm {

/// What a reduce or an allreduce works on: `count` elements each of my contribution and of the result.
struct Reduction {
  const std::byte* in;
  std::byte* out;  ///< may be `in`
  std::size_t count;
  const Reducer& op;

  std::size_t bytes() const { return count * op.unit; }
};

/// Everybody posts, everybody awaits all: one line transfer each way, p - 1 loads.
void barrier(Slots& slots);

/// One member's part of a bcast of at least one byte.  The root announces the length with its first post.  A member
/// that expects another length follows it, and gets as much as there is room for.
struct Broadcast {
  std::byte* buffer;
  std::size_t room;   ///< bytes that this member has room for, and
  std::size_t bytes;  ///< those that are sent
  int root;
  const std::byte* payload = nullptr;  ///< of the root's first post, once that has been awaited

  /// Of `length` bytes from `offset` on.
  std::size_t fits(std::size_t offset, std::size_t length) const {
    return offset + length <= room ? length : room - std::min(room, offset);
  }
};

/// The root posts chunk after chunk, the others copy; it runs ahead as far as slots are free.  `first`: its first turn,
/// already taken.
void bcast(Slots& slots, const Broadcast& work, Turn first);
/// The same, where all members know the length.
void bcast(Slots& slots, std::byte* buffer, std::size_t bytes, int root);

/// Everybody posts its block chunk after chunk and copies the others'.
void allgather(Slots& slots, const Blocks& blocks, const OwnBlock& own);

// Pairwise (exchange.hpp).  Own blocks are copied once the others' blocks are posted.

void gather(Exchange& exchange, const Blocks& blocks, int root, Sizes sizes, const Borders& borders,
            const OwnBlock& own);
void scatter(Exchange& exchange, const Blocks& blocks, int root, Sizes sizes, const Borders& borders,
             const OwnBlock& own);
void alltoall(Exchange& exchange, const Blocks& in, const Blocks& out, Sizes sizes, const Borders& borders,
              const OwnBlock& own);

/// The root's bytes, or everybody's block, to everybody, by single copy.
void bcast_once(Exchange& exchange, const Broadcast& work, Turn first, const Borders& borders);
void allgather_once(Exchange& exchange, const Blocks& blocks, const Borders& borders, const OwnBlock& own);

// Reductions.  `reader`: the one member that gets the result, or Slots::everybody.  All give the same bits: for every
// element x0 (+) (x1 (+) (... (+) x[p-1])), whoever computes it and however the data is cut.

/// Up to Slots::line_bytes: each member's contribution travels in the line that announces it.
void reduce_short(Slots& slots, const Reduction& work, int reader);

/// Each reader combines all contributions itself, chunk by chunk.  (p - 1) m gamma, one synchronisation a chunk.
void reduce_flat(Slots& slots, const Reduction& work, int reader);

/// Each member combines its share of a chunk for all, then the readers collect the shares.  About m gamma
/// for any p, two synchronisations a chunk.
void reduce_striped(Slots& slots, const Reduction& work, int reader);

/// Elements too large for a slot (long user-defined types): one at a time, member after member.
void reduce_large_elements(Slots& slots, const Reduction& work, int reader);

/// What a reduce_scatter works on: my contribution to all blocks, and my block of the result.
struct ReduceScatter {
  const std::byte* in;
  std::byte* out;  ///< apart from `in`
  const Shares& blocks;
  const Reducer& op;
};
/// All blocks fit one slot: they travel together, in one turn.
void reduce_scatter_packed(Slots& slots, const ReduceScatter& work);
/// A piece of each block a turn, or of as many as a slot holds.  Of more than nothing.
void reduce_scatter_in_pieces(Slots& slots, const ReduceScatter& work);
/// A reduce to each member, for elements so long, or members so many, that a slot has no place for each.
void reduce_scatter_blocks(Slots& slots, const ReduceScatter& work);

// Member i gets x0 (+) ... (+) x[i], or, not inclusive, up to x[i-1]; then member 0 gets nothing.  Combined from the
// left.

/// Each member combines the contributions of all before it, chunk by chunk.
void scan_in_slots(Slots& slots, const Reduction& work, bool inclusive);
/// Through the members, who add their own to what comes from the one before.  Of more than nothing.
void scan_chain(Slots& slots, const Reduction& work, bool inclusive);
/// Elements too large for a slot: one at a time, member after member; all take part in all.
void scan_large_elements(Slots& slots, const Reduction& work, bool inclusive);

/// A row of `count` elements cut into chunks of at most `bytes` (default: a slot), but of at least one element. Short
/// rows, which are one chunk, cost no division.
struct Chunks {
  std::size_t count, each;
  Chunks(const Reduction& work, std::size_t bytes)
      : count(work.count), each(work.bytes() <= bytes ? count : std::max<std::size_t>(bytes / work.op.unit, 1)) {}
  Chunks(const Slots& slots, const Reduction& work) : Chunks(work, slots.capacity()) {}
  std::size_t number() const { return count <= each ? count != 0 : (count + each - 1) / each; }
  std::size_t first(std::size_t chunk) const { return chunk * each; }
  std::size_t length(std::size_t chunk) const { return chunk + 1 < number() ? each : count - first(chunk); }
};

/// into = x0 (+) (x1 (+) (... (+) x[size-1])), where row(i) finds member i's `count` elements.  What is not yet the
/// result lies in `between`, which may be one of the last two rows; `into` may be that or row 0.
template <typename Row>
void fold(const Reducer& op, std::size_t count, int size, Row row, std::byte* into, std::byte* between) {
  const std::byte* sum = row(size - 1);
  if (size == 1 && sum != into) copy_bytes(into, sum, count * op.unit);
  for (int member = size - 2; member >= 0; --member) {
    std::byte* const to = member == 0 ? into : between;
    op(row(member), sum, to, count);
    sum = to;
  }
}
template <typename Row>
void fold(const Reducer& op, std::size_t count, int size, Row row, std::byte* into) {
  fold(op, count, size, row, into, into);
}

/// A reduction of one member.
inline void keep(const Reduction& work, const Slots& slots) {
  if (work.in != work.out && !slots.forfeits()) copy_bytes(work.out, work.in, work.bytes());
}

}  // namespace tutti::shm

#include "shm/collectives/tree.hpp"

#include <algorithm>
#include <map>

namespace tutti::shm {

Tree::Tree(const std::vector<int>& domains, int me) : me_(me) {
  std::map<int, int> first;  // member of each domain
  for (int member = 0; const int domain : domains) {
    const int leader = first.try_emplace(domain, member).first->second;
    leader_.push_back(leader);
    if (leader == member) leaders_.push_back(member);
    if (leader == me && member != me) followers_.push_back(member);
    if (rows_.empty() || rows_.back().leader != leader) rows_.push_back({member, 0, leader});
    ++rows_.back().count, ++member;
  }
}

void barrier(Slots& slots, const Tree& tree) {
  const Turn arrival = slots.take(2), release = arrival + 1;
  for (const int follower : tree.followers()) slots.await(follower, arrival);
  slots.writable(arrival);
  slots.post(arrival, tree.leads() ? Slots::everybody : tree.leader());
  if (tree.leads()) {
    for (const int leader : tree.leaders()) slots.await(leader, arrival);
    slots.writable(release);
    slots.post(release, Slots::everybody);
  } else {
    slots.await(tree.leader(), release);
  }
  slots.met(arrival);
  slots.leave(release);
}

void bcast(Slots& slots, const Tree& tree, const Broadcast& work, Turn first) {
  const auto [buffer, room, bytes, root, payload] = work;
  const std::size_t chunk = slots.capacity();
  const Turn turns = std::max<std::size_t>(1, (bytes + chunk - 1) / chunk);
  if (turns > 1) slots.take(turns - 1);
  const int source = tree.source(root);
  const bool forwards = tree.forwards(root);
  const bool passes_on = slots.forfeits() && slots.me() != root;  // others wait for it, though it is not stored here
  for (Turn turn = first; turn < first + turns; ++turn) {
    const std::size_t done = (turn - first) * chunk, length = std::min(chunk, bytes - done);
    const bool awaited = done == 0 && payload != nullptr;
    const std::byte* const from = slots.me() == root ? buffer + done : awaited ? payload : slots.await(source, turn);
    if (slots.me() == root || forwards) {
      std::byte* const slot =
          turns == 1 ? slots.writable_ahead(turn, from, length) : slots.writable(turn, from, length);
      passes_on ? copy_bytes(slot, from, length) : slots.fill(slot, from, length);
      slots.post(turn, Slots::everybody, bytes);
    }
    if (slots.me() != root) copy_bytes(buffer + done, from, work.fits(done, length));
    slots.leave(turn);  // the root too: leaders wait for everybody before they write again
  }
}

namespace {

/// Leaders pack their domain's blocks, each at its member's place.  A follower that is the only reader contributes none
/// of its own, so that nobody waits for it.
void pack(Slots& slots, const Tree& tree, const std::byte* mine, std::size_t bytes, Turn contribution, int reader) {
  const auto place = [&](int member) { return static_cast<std::size_t>(member) * bytes; };
  const std::size_t own = slots.forfeits() ? 0 : bytes;
  if (!tree.leads()) {
    if (slots.me() == reader) return;
    copy_bytes(slots.writable_ahead(contribution, bytes), mine, own);
    return slots.post(contribution, tree.leader());
  }
  const Turn package = contribution + 1;
  std::byte* const packed = slots.writable_ahead(package, place(slots.size()));
  copy_bytes(packed + place(slots.me()), mine, own);
  for (const int follower : tree.followers())
    if (follower != reader) copy_bytes(packed + place(follower), slots.await(follower, contribution), bytes);
  slots.post(package, reader);
}

/// The turns of a call: contributions to leaders, leaders' packages, and all blocks together.
constexpr Turn collecting = 3;

/// Everybody's blocks in member order, where I can read them until I leave turn `first` + 2.
const std::byte* collect(Slots& slots, const Tree& tree, const std::byte* mine, std::size_t bytes, Turn first) {
  const Turn package = first + 1, together = first + 2;
  pack(slots, tree, mine, bytes, first, Slots::everybody);
  if (!tree.leads()) {
    const std::byte* const all = slots.await(tree.leader(), together);
    slots.met(first);
    return all;
  }
  for (const int leader : tree.leaders()) slots.await(leader, package);
  slots.met(first);
  std::byte* const all = slots.writable(together);
  for (const Tree::Row& row : tree.rows()) {
    const std::size_t offset = static_cast<std::size_t>(row.first) * bytes;
    copy_bytes(all + offset, slots.await(row.leader, package) + offset, static_cast<std::size_t>(row.count) * bytes);
  }
  slots.post(together, Slots::everybody);
  return all;
}

void reduce_to_all(Slots& slots, const Tree& tree, const Reduction& work) {
  const Turn first = slots.take(collecting);
  const std::byte* const all = collect(slots, tree, work.in, work.bytes(), first);
  const auto row = [&](int member) { return all + static_cast<std::size_t>(member) * work.bytes(); };
  fold(work.op, work.count, slots.size(), row, work.out);
  slots.leave(first + collecting - 1);
}

}  // namespace

void allgather(Slots& slots, const Tree& tree, const Blocks& blocks, const OwnBlock& own) {
  const auto me = static_cast<std::size_t>(slots.me()), size = static_cast<std::size_t>(slots.size());
  const std::size_t block = blocks.block;
  const Turn first = slots.take(collecting);
  const std::byte* const all = collect(slots, tree, own.or_block(blocks.at(slots.me())), block, first);
  own.move();
  if (me > 0 && !slots.forfeits()) copy_bytes(blocks.start, all, me * block);
  if (me + 1 < size && !slots.forfeits())
    copy_bytes(blocks.start + (me + 1) * block, all + (me + 1) * block, (size - me - 1) * block);
  slots.leave(first + collecting - 1);
}

void reduce(Slots& slots, const Tree& tree, const Reduction& work, int reader) {
  if (reader == Slots::everybody) return reduce_to_all(slots, tree, work);
  const Turn contribution = slots.take(2), package = contribution + 1;
  pack(slots, tree, work.in, work.bytes(), contribution, reader);
  if (reader == slots.me()) {
    const auto row = [&](int member) {
      if (member == slots.me()) return work.in;
      return slots.await(tree.leader_of(member), package) + static_cast<std::size_t>(member) * work.bytes();
    };
    // In place: my own contribution must be kept until its turn in the order.
    const bool direct = work.in != work.out || slots.me() >= slots.size() - 2;
    fold(work.op, work.count, slots.size(), row, work.out, direct ? work.out : slots.scratch(work.bytes()));
  }
  slots.leave(package);
}

}  // namespace tutti::shm

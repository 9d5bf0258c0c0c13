/// Gather, scatter and alltoall, and what is copied once.
#include <algorithm>

#include "shm/collectives/collectives.hpp"

namespace tutti::shm {
namespace {

auto block_of(const Blocks& blocks) {
  return [&](int member) -> Block { return {blocks.at(member), blocks.size(member)}; };
}

/// The member that many places behind `me`.
int behind(const Slots& slots, int places) {
  const int member = slots.me() + places;
  return member < slots.size() ? member : member - slots.size();
}
int before(const Slots& slots, int places) {
  const int member = slots.me() - places;
  return member >= 0 ? member : member + slots.size();
}

/// Readers in the order of distance, as many in each turn as have a mailbox.
struct Windows {
  Exchange& exchange;
  const Sizes sizes;
  const int others;
  const std::size_t block;   ///< bytes of each, where they are equal; 0: sizes not known to all
  const std::size_t packed;  ///< bytes from block to block where they lie close together in the slot; 0: in mailboxes
  const int width;           ///< readers in a turn

  /// `most_turns`: that short equal blocks may take.
  Windows(Exchange& exchange, Sizes sizes, std::size_t block, const Borders& borders, std::size_t most_turns = 1)
      : exchange(exchange),
        sizes(sizes),
        others(exchange.slots().size() - 1),
        block(sizes == Sizes::equal ? block : 0),
        packed(sizes == Sizes::equal && !exchange.is_rendezvous(block, borders) && fits(block, most_turns) ? block : 0),
        width(std::min(others, packed != 0 ? in_a_turn(packed) : exchange.most_mailboxes())) {}

  // Divisions only where members are many: they take as long as a short call's other instructions.
  bool all_at_once(std::size_t block) const {
    const std::size_t capacity = exchange.slots().capacity();
    return block <= capacity && block * static_cast<std::size_t>(others) <= capacity;
  }
  /// With several turns, each holds at least four blocks, and up to a fifth of a slot may stay empty.
  bool fits(std::size_t block, std::size_t most_turns) const {
    const std::size_t capacity = exchange.slots().capacity();
    return all_at_once(block) ||
           (block <= capacity / 4 && block * static_cast<std::size_t>(others) <= (most_turns - 1) * capacity / 5 * 4);
  }
  int in_a_turn(std::size_t block) const {
    return all_at_once(block) ? others : static_cast<int>(exchange.slots().capacity() / block);
  }
  Turn number() const { return width == others ? 1 : static_cast<Turn>((others + width - 1) / width); }
  int first(Turn window) const { return 1 + static_cast<int>(window) * width; }
  int last(Turn window) const { return std::min(others, first(window) + width - 1); }
  Mailboxes mailboxes(Turn window) const {
    if (packed == 0) return exchange.mailboxes(first(window) - 1, sizes);
    Mailboxes mailboxes{packed, packed, first(window) - 1};
    mailboxes.packed = packed * static_cast<std::size_t>(width);
    return mailboxes;
  }
  /// The same for a root, which need not wait for its readers.
  Mailboxes mailboxes_of_root(Turn window) const {
    Mailboxes mailboxes = this->mailboxes(window);
    if (packed != 0) mailboxes.whole = packed * static_cast<std::size_t>(width);
    mailboxes.from_root = true, mailboxes.single = others == 1;
    mailboxes.joint = mailboxes.single || (packed == 0 && exchange.helps(mailboxes));
    return mailboxes;
  }
  template <typename BlockOf>
  std::size_t longest(Turn window, BlockOf block) const {
    std::size_t most = 0;
    for (int step = first(window); step <= last(window); ++step)
      most = std::max(most, block(behind(exchange.slots(), step)).bytes);
    return most;
  }
};

/// The root has a block for each other member: `block(reader)` is the block at the root, and its destination on the
/// reader.  The first turn is already taken, because readers compare the announced length with theirs.
template <typename BlockOf>
void from_root(const Windows& windows, Turn turn, int root, const Borders& borders, BlockOf block,
               const OwnBlock& own) {
  Exchange& exchange = windows.exchange;
  Slots& slots = exchange.slots();
  if (windows.number() > 1) slots.take(windows.number() - 1);
  const int mine = slots.me() > root ? slots.me() - root : slots.me() - root + slots.size();
  for (Turn window = 0; window < windows.number(); ++window) {
    exchange.open(turn + window, windows.mailboxes_of_root(window), borders);
    if (slots.me() == root) {
      if (windows.sizes == Sizes::own && !slots.is_free(turn + window)) [[unlikely]]
        exchange.close_up(windows.longest(window, block), windows.width);
      for (int step = windows.first(window); step <= windows.last(window); ++step) {
        const int reader = behind(slots, step);
        exchange.put(reader, block(reader));
      }
      exchange.post(Slots::everybody, windows.block);
      if (window + 1 == windows.number()) exchange.meanwhile(own);
    } else if (windows.first(window) <= mine && mine <= windows.last(window)) {
      exchange.take(root, block(slots.me()));
    }
    exchange.close();
  }
}

/// Blocks for me from writers at these distances: the destination of the first, and the sum of bytes.
template <typename Out>
Block landing(const Slots& slots, int first, int last, Out out) {
  Block sum = out(before(slots, first));
  for (int step = first + 1; step <= last; ++step) sum.bytes += out(before(slots, step)).bytes;
  return sum;
}

/// Everybody has a block for each other member; mine begin at `start`.
template <typename In, typename Out>
void among_all(const Windows& windows, const Borders& borders, const std::byte* start, In in, Out out,
               const OwnBlock& own) {
  Exchange& exchange = windows.exchange;
  Slots& slots = exchange.slots();
  const Turn turn = slots.take(windows.number());
  for (Turn window = 0; window < windows.number(); ++window) {
    const int first = windows.first(window), last = windows.last(window);
    exchange.open(turn + window, windows.mailboxes(window), borders);
    if (windows.packed == 0) exchange.expect(landing(slots, first, last, out)), exchange.begins_at(start);
    bool all = windows.number() == 1;
    [[maybe_unused]] bool alike = true;  // a planted fault does without
    for (int step = first; step <= last; ++step) {
      const int reader = behind(slots, step);
      if (slots.gives()) exchange.put(reader, in(reader));
      all = all && out(before(slots, step)).bytes > 0;
    }
    exchange.post(Slots::everybody, windows.block);
    if (!slots.takes()) return;
    if (window == 0) own.move();
    if (all) slots.await_all(turn);
    for (int step = first; step <= last; ++step) {
      const int writer = before(slots, step);
      const Block block = out(writer);
      if (windows.block != 0 && block.bytes != 0) {
        if (!all) slots.await(writer, turn + window);
        if (const std::size_t told = slots.told(writer, turn + window, windows.block); told != windows.block)
            [[unlikely]] {
          alike = false;
          exchange.take(writer, block, Windows(exchange, windows.sizes, told, borders).mailboxes(window));
          continue;
        }
      }
      exchange.take(writer, block);
    }
    exchange.close(windows.packed != 0 && alike);
  }
}

}  // namespace

namespace {

/// The others' blocks for the root.  The root's own block is copied before they arrive, or while they copy theirs.
void take_all(Exchange& exchange, Turn turn, const Blocks& blocks, const Borders& borders, const OwnBlock& own) {
  Slots& slots = exchange.slots();
  const auto of = block_of(blocks);
  bool all = true, once = false;
  for (int member = 0; member < slots.size(); ++member) {
    if (member == slots.me()) continue;
    const std::size_t bytes = of(member).bytes;
    all = all && bytes > 0, once = once || exchange.is_rendezvous(bytes, borders);
  }
  once ? exchange.meanwhile(own) : own.move();
  if (all) slots.await_all(turn, true);
  for (int step = 1; step < slots.size(); ++step) exchange.take(before(slots, step), of(before(slots, step)));
}

}  // namespace

void gather(Exchange& exchange, const Blocks& blocks, int root, Sizes sizes, const Borders& borders,
            const OwnBlock& own) {
  Slots& slots = exchange.slots();
  const Turn turn = slots.take();
  if (slots.me() == root ? !slots.takes() : !slots.gives()) return;
  exchange.open(turn, exchange.joint_mailbox(sizes), borders);
  if (slots.me() == root) {
    take_all(exchange, turn, blocks, borders, own);
  } else {
    exchange.put(root, {blocks.at(slots.me()), blocks.size(slots.me())});
    exchange.post(root, sizes == Sizes::equal ? blocks.size(slots.me()) : 0);
  }
  exchange.close();
}

namespace {

/// Equal blocks that fit one slot, back to back, where readers expect the root's length.
void scatter_short(Slots& slots, const Blocks& blocks, Turn turn, int root, const OwnBlock& own) {
  const std::size_t block = blocks.block;
  slots.expect_little();
  if (slots.me() == root) {
    const int others = slots.size() - 1;
    std::byte* slot = slots.writable_ahead(turn, block * static_cast<std::size_t>(others));
    for (int step = 1; step <= others; ++step, slot += block) slots.fill(slot, blocks.at(behind(slots, step)), block);
    slots.post(turn, Slots::everybody, block);
    own.move();
  } else {
    const int mine = slots.me() > root ? slots.me() - root : slots.me() - root + slots.size();
    const std::byte* const from = slots.await(root, turn) + block * static_cast<std::size_t>(mine - 1);
    slots.read(root, turn, blocks.at(slots.me()), from, block);
  }
  slots.leave(turn);
}

}  // namespace

void scatter(Exchange& exchange, const Blocks& blocks, int root, Sizes sizes, const Borders& borders,
             const OwnBlock& own) {
  Slots& slots = exchange.slots();
  const Turn first = slots.take();
  if (slots.me() == root ? !slots.gives() : !slots.takes()) return;
  std::size_t block = blocks.block;
  if (sizes == Sizes::equal && block != 0 && slots.me() != root) {
    slots.await(root, first);
    block = slots.told(root, first, block);
  }
  // A root that runs ahead of its readers must have turns left for it.
  const Windows windows(exchange, sizes, block, borders, Slots::depth / 2);
  if (windows.packed != 0 && windows.number() == 1 && block == blocks.block)
    return scatter_short(slots, blocks, first, root, own);
  from_root(windows, first, root, borders, block_of(blocks), own);
}

void bcast_once(Exchange& exchange, const Broadcast& work, Turn first, const Borders& borders) {
  const bool all = exchange.slots().me() == work.root || exchange.slots().forfeits();
  const Block block{work.buffer, all ? work.bytes : work.room};
  from_root(Windows(exchange, Sizes::equal, work.bytes, borders), first, work.root, borders, [&](int) { return block; },
            {});
}

void alltoall(Exchange& exchange, const Blocks& in, const Blocks& out, Sizes sizes, const Borders& borders,
              const OwnBlock& own) {
  among_all(Windows(exchange, sizes, in.block, borders), borders, in.start, block_of(in), block_of(out), own);
}

void allgather_once(Exchange& exchange, const Blocks& blocks, const Borders& borders, const OwnBlock& own) {
  const auto of = block_of(blocks);
  const int me = exchange.slots().me();
  const Block mine{const_cast<std::byte*>(own.or_block(blocks.at(me))), blocks.size(me)};  // read alone
  among_all(
      Windows(exchange, Sizes::own, 0, borders), borders, mine.start, [&](int) { return mine; }, of, own);
}

}  // namespace tutti::shm

/// Chooses the variant of each call, by what all members know alike: bytes and members.
#include "shm/group.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "selection/borders.hpp"
#include "shm/collectives/collectives.hpp"
#include "shm/collectives/pair_reductions.hpp"
#include "shm/collectives/tree.hpp"

namespace tutti::shm {

struct ShmGroup::State {
  State(Segment memory, const ShmGroupOptions& options)
      : segment(std::move(memory)),
        slots(segment.alias(), options),
        rings(segment.data() + Slots::bytes(options), options, slots),
        single_copy(segment.data() + Slots::bytes(options) + PairwiseRings::bytes(options), options),
        exchange(slots, rings, single_copy, options.learners),
        pair_reductions(slots, single_copy, options.learners.has(Learner::copies)),
        oversubscribed(options.size > options.cpus),
        stripe_from(options.stripe_from != 0 ? options.stripe_from
                                             : borders::worth_a_synchronisation(options.size, options.cpus)),
        rooted_stripe_from(options.stripe_from != 0 ? 0 : borders::waits_for_nobody),
        chain_from(options.chain_from) {
    if (options.size > 1 && !options.domains.empty()) tree.emplace(options.domains, options.me);
  }

  /// Whether all may share the work of combining.  Not with a single reader and fewer CPUs than members: the others
  /// leave early and free their CPUs.  Nor where eager messages of that length would let their senders continue:
  /// programs rely on it.
  bool shares_rooted(std::size_t bytes, int reader) const {
    return reader == Slots::everybody || (!oversubscribed && bytes >= rooted_stripe_from);
  }

  /// Each reader of a flat reduction combines p contributions; a striped one has the work of about two.
  bool stripes(std::size_t bytes, int reader) const {
    return shares_rooted(bytes, reader) && bytes * static_cast<std::size_t>(slots.size() - 2) >= stripe_from;
  }

  void reduce(const Reduction& work, int reader, const Borders& borders) {
    const bool pair = pair_reductions.serve(work.bytes(), borders) && shares_rooted(work.bytes(), reader);
    if (!pair) return reduce_in_slots(work, reader);
    pair_reductions.reduce(work, reader, borders, [&] { reduce_in_slots(work, reader); });
  }

  void reduce_in_slots(const Reduction& work, int reader) {
    const std::size_t bytes = work.bytes();
    if (slots.size() == 1) {
      if (work.in != work.out && !slots.forfeits()) copy_bytes(work.out, work.in, bytes);
    } else if (tree && fits(slots, bytes)) {
      shm::reduce(slots, *tree, work, reader);
    } else if (bytes <= Slots::line_bytes && bytes != 0) {
      reduce_short(slots, work, reader);
    } else if (work.op.unit > slots.capacity()) {
      reduce_large_elements(slots, work, reader);
    } else if (stripes(bytes, reader)) {
      reduce_striped(slots, work, reader);
    } else {
      reduce_flat(slots, work, reader);
    }
  }

  void reduce_scatter(const ReduceScatter& work, const Borders& borders) {
    if (!pair_reductions.serve(work.blocks.total(slots.size()) * work.op.unit, borders))
      return shm::reduce_scatter(slots, work);
    pair_reductions.reduce_scatter(work, borders, [&] { shm::reduce_scatter(slots, work); });
  }

  /// For at least one byte; the turn is already taken.
  void bcast(const Broadcast& work, Turn first, const Borders& borders) {
    if (!pairwise(work.bytes, borders))
      return tree ? shm::bcast(slots, *tree, work, first) : shm::bcast(slots, work, first);
    if (tree && tree->forwards(work.root)) announce(first, work.bytes);
    bcast_once(exchange, work, first, borders);
  }

  /// For a member that waits for its leader, because it expects so little that the variant would be another one.
  void announce(Turn turn, std::size_t bytes) {
    slots.writable(turn);
    slots.post(turn, Slots::everybody, bytes);
  }

  /// Readers follow the root, whose first post carries the length.
  void receive(std::byte* buffer, std::size_t bytes, int root, const Borders& borders) {
    const Turn first = slots.take();
    if (bytes == 0) return slots.leave(first);
    if (slots.forfeits()) [[unlikely]]
      slots.forfeit_for_me_alone();
    const int source = tree ? tree->source(root) : root;
    const std::byte* const payload = slots.await(source, first);
    const std::size_t sent = slots.told(source, first, bytes);
    if (sent != bytes) [[unlikely]]
      exchange.room_for(sent, bytes);
    bcast({buffer, slots.forfeits() ? 0 : bytes, sent, root, payload}, first, borders);
  }

  void scan(const Reduction& work, bool inclusive) { shm::scan(slots, work, inclusive, chain_from); }

  Ending ending() {
    const Ending ending = exchange.take_ending();
    return slots.take_failure() ? Ending::failed : ending;
  }

  /// Blocks of that size, known to all members, between all pairs: all by single copy, or, where each has one reader,
  /// as their writers choose.
  bool pairwise(std::size_t bytes, const Borders& borders) const {
    const std::size_t from = slots.size() == 2 ? std::min(borders.single_copy, borders.by_clock) : borders.single_copy;
    return single_copy.allowed() && bytes >= from && bytes > 0;
  }

  Segment segment;
  Slots slots;
  PairwiseRings rings;
  SingleCopy single_copy;
  Exchange exchange;
  PairReductions pair_reductions;
  const bool oversubscribed;
  const std::size_t stripe_from, rooted_stripe_from, chain_from;
  std::optional<Tree> tree;  ///< on a large node of several domains
};

std::size_t ShmGroup::bytes(const ShmGroupOptions& options) {
  return Slots::bytes(options) + PairwiseRings::bytes(options) + SingleCopy::bytes(options);
}

ShmGroup::ShmGroup(std::unique_ptr<State> state) : state_(std::move(state)) {}

ShmGroup::ShmGroup(Segment segment, const ShmGroupOptions& options)
    : ShmGroup(std::make_unique<State>(std::move(segment), options)) {}

ShmGroup::~ShmGroup() = default;

bool ShmGroup::agree_on_single_copy() {
  if (size() == 1) return false;
  barrier();
  std::uint8_t mine = state_->single_copy.trial(), all = 0;
  allreduce(&mine, &all, 1, kernel(Operator::band, Element::u8));
  state_->single_copy.allow(all != 0);
  return all != 0;
}

void ShmGroup::barrier() {
  if (size() == 1) return;
  if (state_->tree)
    shm::barrier(state_->slots, *state_->tree);
  else
    shm::barrier(state_->slots);
}

void ShmGroup::forfeit(bool yes) { state_->slots.forfeit(yes); }

Ending ShmGroup::bcast(void* buffer, std::size_t bytes, int root, const Borders& borders) {
  if (size() == 1) return Ending::whole;
  auto* const data = static_cast<std::byte*>(buffer);
  Slots& slots = state_->slots;
  if (slots.me() != root)
    state_->receive(data, bytes, root, borders);
  else if (const Turn first = slots.take(); bytes == 0)
    slots.leave(first);
  else
    state_->bcast({.buffer = data, .room = bytes, .bytes = bytes, .root = root}, first, borders);
  return state_->ending();
}

Ending ShmGroup::gather(const Blocks& blocks, int root, Sizes sizes, const Borders& borders, const OwnBlock& own) {
  if (size() > 1)
    shm::gather(state_->exchange, blocks, root, sizes, borders, own);
  else
    own.move();
  return state_->ending();
}

Ending ShmGroup::scatter(const Blocks& blocks, int root, Sizes sizes, const Borders& borders, const OwnBlock& own) {
  if (size() > 1)
    shm::scatter(state_->exchange, blocks, root, sizes, borders, own);
  else
    own.move();
  return state_->ending();
}

Ending ShmGroup::allgather(const Blocks& blocks, const Borders& borders, const OwnBlock& own) {
  if (size() == 1) return own.move(), Ending::whole;
  std::size_t largest = 0;
  for (int member = 0; member < size(); ++member) largest = std::max(largest, blocks.size(member));
  if (state_->pairwise(largest, borders))
    allgather_once(state_->exchange, blocks, borders, own);
  else if (state_->tree && blocks.sizes == nullptr && fits(state_->slots, blocks.block))
    shm::allgather(state_->slots, *state_->tree, blocks, own);
  else
    shm::allgather(state_->slots, blocks, own);
  return state_->ending();
}

Ending ShmGroup::alltoall(const Blocks& in, const Blocks& out, Sizes sizes, const Borders& borders,
                          const OwnBlock& own) {
  if (size() > 1)
    shm::alltoall(state_->exchange, in, out, sizes, borders, own);
  else
    own.move();
  return state_->ending();
}

/// A failure that members other than the root have seen is not theirs: they only forwarded it.
Ending ShmGroup::reduce(const void* in, void* out, std::size_t count, const Reducer& op, int root,
                        const Borders& borders) {
  state_->reduce({static_cast<const std::byte*>(in), static_cast<std::byte*>(out), count, op}, root, borders);
  const Ending ending = state_->ending();
  return me() == root ? ending : Ending::whole;
}

Ending ShmGroup::allreduce(const void* in, void* out, std::size_t count, const Reducer& op, const Borders& borders) {
  const Reduction work{static_cast<const std::byte*>(in), static_cast<std::byte*>(out), count, op};
  state_->reduce(work, Slots::everybody, borders);
  return state_->ending();
}

Ending ShmGroup::reduce_scatter(const void* in, void* out, const Shares& blocks, const Reducer& op,
                                const Borders& borders) {
  const ReduceScatter work{static_cast<const std::byte*>(in), static_cast<std::byte*>(out), blocks, op};
  if (size() > 1)
    state_->reduce_scatter(work, borders);
  else if (!state_->slots.forfeits())
    copy_bytes(out, work.in + blocks.place(0) * op.unit, blocks.total(1) * op.unit);
  return state_->ending();
}

Ending ShmGroup::scan(const void* in, void* out, std::size_t count, const Reducer& op) {
  state_->scan({static_cast<const std::byte*>(in), static_cast<std::byte*>(out), count, op}, true);
  return state_->ending();
}

Ending ShmGroup::exscan(const void* in, void* out, std::size_t count, const Reducer& op) {
  state_->scan({static_cast<const std::byte*>(in), static_cast<std::byte*>(out), count, op}, false);
  return state_->ending();
}

int ShmGroup::size() const { return state_->slots.size(); }
int ShmGroup::me() const { return state_->slots.me(); }
std::size_t ShmGroup::received() const { return state_->exchange.received(); }
void ShmGroup::progress_soon() { state_->slots.progress_soon(); }

}  // namespace tutti::shm

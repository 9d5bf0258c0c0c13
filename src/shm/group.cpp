/// Carries calls out by their variants (src/shm/variants).
#include "shm/group.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/borders.hpp"
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
        layout{.members = options.size,
               .oversubscribed = options.size > options.cpus,
               .domains = options.size > 1 && !options.domains.empty(),
               .slot = slots.capacity(),
               .stripe_from = options.stripe_from != 0 ? options.stripe_from
                                                       : borders::worth_a_synchronisation(options.size, options.cpus),
               .rooted_from = options.stripe_from != 0 ? 0 : borders::waits_for_nobody,
               .chain_from = options.chain_from} {
    if (layout.domains) tree.emplace(options.domains, options.me);
  }

  Variant variant(const VariantCall& call, const Borders& borders) const {
    return borders.settled != Variant::any ? borders.settled : shm::settle(call, layout, borders);
  }

  void reduce(const Reduction& work, int reader, const Borders& borders) {
    const VariantCall call{reader == Slots::everybody ? Collective::allreduce : Collective::reduce, work.bytes(),
                           work.op.unit};
    const Variant variant = this->variant(call, borders);
    if (variant != Variant::one_copy && variant != Variant::clock) return reduce_in_slots(work, reader, variant);
    pair_reductions.reduce(work, reader, borders,
                           [&] { reduce_in_slots(work, reader, shm::settle(call, layout, {})); });
  }

  void reduce_in_slots(const Reduction& work, int reader, Variant variant) {
    switch (variant) {
      case Variant::line:
        return reduce_short(slots, work, reader);
      case Variant::striped:
        return reduce_striped(slots, work, reader);
      case Variant::tree:
        return shm::reduce(slots, *tree, work, reader);
      case Variant::elements:
        return reduce_large_elements(slots, work, reader);
      default:
        return reduce_flat(slots, work, reader);
    }
  }

  VariantCall call_of(const ReduceScatter& work) const {
    const std::size_t unit = work.op.unit;
    return {Collective::reduce_scatter, work.blocks.total(slots.size()) * unit, unit,
            work.blocks.most(slots.size()) * unit};
  }

  void reduce_scatter(const ReduceScatter& work, const Borders& borders) {
    const Variant variant =
        borders.settled != Variant::any ? borders.settled : shm::settle(call_of(work), layout, borders);
    if (variant != Variant::one_copy && variant != Variant::clock) return reduce_scatter_in_slots(work, variant);
    pair_reductions.reduce_scatter(work, borders,
                                   [&] { reduce_scatter_in_slots(work, shm::settle(call_of(work), layout, {})); });
  }

  void reduce_scatter_in_slots(const ReduceScatter& work, Variant variant) {
    if (variant == Variant::packed) return reduce_scatter_packed(slots, work);
    variant == Variant::blocks ? reduce_scatter_blocks(slots, work) : reduce_scatter_in_pieces(slots, work);
  }

  /// What a bcast follows.  A reader must know it before it knows how much is sent.
  const Tree* followed(const Borders& borders) const {
    return tree && borders.asked != Variant::slots ? &*tree : nullptr;
  }

  /// For at least one byte; the turn is already taken.
  void bcast(const Broadcast& work, Turn first, const Borders& borders) {
    const Tree* const tree = followed(borders);
    switch (variant({Collective::bcast, work.bytes}, borders)) {
      case Variant::slots:
        return shm::bcast(slots, work, first);
      case Variant::tree:
        return shm::bcast(slots, *tree, work, first);
      default:
        if (tree && tree->forwards(work.root)) announce(first, work.bytes);
        return bcast_once(exchange, work, first, borders);
    }
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
    const Tree* const tree = followed(borders);
    const int source = tree ? tree->source(root) : root;
    const std::byte* const payload = slots.await(source, first);
    const std::size_t sent = slots.told(source, first, bytes);
    const Broadcast work{buffer, slots.forfeits() ? 0 : bytes, sent, root, payload};
    if (sent == bytes) [[likely]]
      return bcast(work, first, borders);
    exchange.room_for(sent, bytes);
    Borders by_root = borders;
    by_root.settled = Variant::any;  // of another length
    bcast(work, first, by_root);
  }

  void scan(const Reduction& work, bool inclusive, const Borders& borders) {
    switch (variant({Collective::scan, work.bytes(), work.op.unit}, borders)) {
      case Variant::chain:
        return scan_chain(slots, work, inclusive);
      case Variant::elements:
        return scan_large_elements(slots, work, inclusive);
      default:
        return scan_in_slots(slots, work, inclusive);
    }
  }

  Variant allgather(const Blocks& blocks, const Borders& borders) const {
    if (borders.settled != Variant::any) return borders.settled;
    std::size_t largest = 0;
    for (int member = 0; member < slots.size(); ++member) largest = std::max(largest, blocks.size(member));
    return shm::settle({blocks.sizes == nullptr ? Collective::allgather : Collective::allgatherv, largest}, layout,
                       borders);
  }

  Ending ending() {
    const Ending ending = exchange.take_ending();
    return slots.take_failure() ? Ending::failed : ending;
  }

  Segment segment;
  Slots slots;
  PairwiseRings rings;
  SingleCopy single_copy;
  Exchange exchange;
  PairReductions pair_reductions;
  VariantLayout layout;
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
  std::uint8_t mine = can_read_all(), all = 0;
  allreduce(&mine, &all, 1, kernel(Operator::band, Element::u8));
  allow_single_copy(all != 0);
  return all != 0;
}

bool ShmGroup::can_read_all() const { return state_->single_copy.trial(); }
void ShmGroup::allow_single_copy(bool yes) { state_->single_copy.allow(state_->layout.single_copy = yes); }

Variant ShmGroup::settle(const VariantCall& call, const Borders& borders) const {
  return shm::settle(call, state_->layout, borders);
}

std::string_view ShmGroup::obstacle(const VariantCall& call, const Borders& borders) const {
  const VariantRow* const row = find_variant(call.collective, borders.asked);
  return row != nullptr ? shm::obstacle(*row, call, state_->layout, borders) : "";
}

void ShmGroup::barrier(const Borders& borders) {
  if (size() == 1) return;
  if (state_->variant({Collective::barrier}, borders) == Variant::tree)
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
  switch (state_->allgather(blocks, borders)) {
    case Variant::slots:
      shm::allgather(state_->slots, blocks, own);
      break;
    case Variant::tree:
      shm::allgather(state_->slots, *state_->tree, blocks, own);
      break;
    default:
      allgather_once(state_->exchange, blocks, borders, own);
  }
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
  const Reduction work{static_cast<const std::byte*>(in), static_cast<std::byte*>(out), count, op};
  size() == 1 ? keep(work, state_->slots) : state_->reduce(work, root, borders);
  const Ending ending = state_->ending();
  return me() == root ? ending : Ending::whole;
}

Ending ShmGroup::allreduce(const void* in, void* out, std::size_t count, const Reducer& op, const Borders& borders) {
  const Reduction work{static_cast<const std::byte*>(in), static_cast<std::byte*>(out), count, op};
  size() == 1 ? keep(work, state_->slots) : state_->reduce(work, Slots::everybody, borders);
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

Ending ShmGroup::scan(const void* in, void* out, std::size_t count, const Reducer& op, const Borders& borders) {
  state_->scan({static_cast<const std::byte*>(in), static_cast<std::byte*>(out), count, op}, true, borders);
  return state_->ending();
}

Ending ShmGroup::exscan(const void* in, void* out, std::size_t count, const Reducer& op, const Borders& borders) {
  state_->scan({static_cast<const std::byte*>(in), static_cast<std::byte*>(out), count, op}, false, borders);
  return state_->ending();
}

int ShmGroup::size() const { return state_->slots.size(); }
int ShmGroup::me() const { return state_->slots.me(); }
std::size_t ShmGroup::received() const { return state_->exchange.received(); }
void ShmGroup::progress_soon() { state_->slots.progress_soon(); }

}  // namespace tutti::shm

#pragma once
/// A group over a shared segment: which variant carries a call out.
#include <algorithm>
#include <optional>
#include <utility>

#include "core/borders.hpp"
#include "shm/collectives/collectives.hpp"
#include "shm/collectives/pair_reductions.hpp"
#include "shm/collectives/tree.hpp"
#include "shm/group.hpp"

namespace tutti::shm {

struct ShmGroup::State {
  State(Segment memory, const ShmGroupOptions& options)
      : segment(std::move(memory)),
        slots(segment.alias(), options, segment.data() + used_bytes(options)),
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
    if (!slots.takes()) return;
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

}  // namespace tutti::shm

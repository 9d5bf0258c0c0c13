/// Carries calls out by their variants (src/shm/variants).
#include "shm/group.hpp"

#include <utility>

#include "shm/group_state.hpp"

namespace tutti::shm {

std::size_t ShmGroup::bytes(const ShmGroupOptions& options) {
  return used_bytes(options) + static_cast<std::size_t>(options.size) * (options.long_ring + options.deposits);
}

std::size_t ShmGroup::used_bytes(const ShmGroupOptions& options) {
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
  state_->slots.long_ring().map_others();
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

bool ShmGroup::has_halves(const VariantCall& call, const Borders& borders) const {
  return size() > 1 && shm::has_halves(call, state_->layout, borders) && state_->slots.gives_all(call.bytes, call.unit);
}
bool ShmGroup::can_give() { return state_->slots.can_give(); }
void ShmGroup::run_half(Half half) { state_->slots.run_half(half); }
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

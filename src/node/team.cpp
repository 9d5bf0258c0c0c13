/// Chooses the way for each call, by what all members know alike: bytes and members.
#include "node/team.hpp"

#include <utility>

#include "node/collectives.hpp"

namespace tutti::node {

struct Team::State {
  State(Segment segment, const TeamOptions& options)
      : slots(std::move(segment), options), stripe_from(options.stripe_from) {}

  void reduce(const Reduction& work, int reader) {
    if (slots.size() == 1) {
      if (work.in != work.out && work.count != 0) std::memcpy(work.out, work.in, work.bytes());
      return;
    }
    const std::size_t bytes = work.bytes();
    if (bytes <= Slots::line_bytes && bytes != 0) return reduce_short(slots, work, reader);
    if (work.op.unit > slots.capacity()) return reduce_large_elements(slots, work, reader);
    // With two members each would combine half and fetch half: as much data moves as when both combine all.
    if (bytes >= stripe_from && slots.size() > 2) return reduce_striped(slots, work, reader);
    reduce_flat(slots, work, reader);
  }

  Slots slots;
  std::size_t stripe_from;
};

std::size_t Team::bytes(const TeamOptions& options) { return Slots::bytes(options); }

Team::Team(Segment segment, const TeamOptions& options)
    : state_(std::make_unique<State>(std::move(segment), options)) {}

Team::~Team() = default;

void Team::barrier() {
  if (size() > 1) node::barrier(state_->slots);
}

void Team::bcast(void* buffer, std::size_t bytes, int root) {
  if (size() > 1) node::bcast(state_->slots, static_cast<std::byte*>(buffer), bytes, root);
}

void Team::reduce(const void* in, void* out, std::size_t count, const Reducer& op, int root) {
  state_->reduce({static_cast<const std::byte*>(in), static_cast<std::byte*>(out), count, op}, root);
}

void Team::allreduce(const void* in, void* out, std::size_t count, const Reducer& op) {
  state_->reduce({static_cast<const std::byte*>(in), static_cast<std::byte*>(out), count, op}, Slots::everybody);
}

int Team::size() const { return state_->slots.size(); }
int Team::me() const { return state_->slots.me(); }

}  // namespace tutti::node

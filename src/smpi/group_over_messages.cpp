/// The node engine's collectives (src/shm) with a message for each read of another member's memory: so reading takes
/// simulated time, and as in memory many may read at once.  Who combines what in which order is as there, to the bit.
#include "smpi/group_over_messages.hpp"

#include <cstring>
#include <limits>

#include "core/borders.hpp"
#include "core/layout.hpp"
#include "runtime/arena.hpp"
#include "runtime/communicator/state.hpp"
#include "runtime/platform/pmpi.hpp"
#include "shm/collectives/collectives.hpp"
#include "smpi/batch.hpp"

namespace tutti::shm {

using runtime::Batch;

namespace {

constexpr int everybody = -1;

/// What variants follow from: messages need no slots, and every rank has a CPU.
VariantLayout layout_of(int size) {
  return {.members = size,
          .slot = std::numeric_limits<std::size_t>::max(),
          .stripe_from = borders::worth_a_synchronisation(size, size),
          .chain_from = std::numeric_limits<std::size_t>::max()};
}

std::byte* bytes_at(void* start) { return static_cast<std::byte*>(start); }
const std::byte* bytes_at(const void* start) { return static_cast<const std::byte*>(start); }

}  // namespace

struct ShmGroup::State {
  MPI_Comm comm;
  int me, size;
  bool forfeits = false;
  runtime::Arena scratch;

  State(MPI_Comm comm, int me, int size) : comm(comm), me(me), size(size) {}
  ~State() {
    if (!runtime::finalizing()) runtime::pmpi.Comm_free(&comm);
  }
  State(const State&) = delete;

  /// From the next member on, so that not all send to the same one first.
  template <class Visit>
  void each_other(Visit&& visit) const {
    for (int shift = 1; shift < size; ++shift) visit((me + shift) % size);
  }

  void combine(Batch& batch, const std::byte* own, int members, const Reduction& work);
  void reduce(const Reduction& work, int reader, const Borders& borders);
  void reduce_flat(const Reduction& work, int reader);
  void reduce_striped(const Reduction& work, int reader);
  void scan(const Reduction& work, bool inclusive);
};

/// Receives the rows of the first `members` members, with mine at `own`, and stores their combination at `work.out`
/// once the batch is complete.  Nothing of `own` is needed afterwards.
void ShmGroup::State::combine(Batch& batch, const std::byte* own, int members, const Reduction& work) {
  const std::size_t bytes = work.bytes(), rows = static_cast<std::size_t>(members);
  std::byte* const memory = scratch.take((rows + 1) * bytes);
  const auto row = [&](int member) { return memory + static_cast<std::size_t>(member) * bytes; };
  for (int member = 0; member < members; ++member)
    if (member != me) batch.receive(row(member), bytes, member);
  batch.end();
  if (me < members) copy_bytes(row(me), own, bytes);
  fold(work.op, work.count, members, row, row(members));
  copy_bytes(work.out, row(members), bytes);
  scratch.reset();
}

/// Each reader combines everybody's elements.
void ShmGroup::State::reduce_flat(const Reduction& work, int reader) {
  Batch batch(comm);
  each_other([&](int other) {
    if (reader == everybody || reader == other) batch.send(work.in, work.bytes(), other);
  });
  if (reader == everybody || reader == me)
    combine(batch, work.in, size, work);
  else
    batch.end();
}

/// Each member combines its share of the elements; the readers collect the shares.
void ShmGroup::State::reduce_striped(const Reduction& work, int reader) {
  const std::size_t unit = work.op.unit;
  const auto stripe = [&](int member) { return balanced(static_cast<std::int64_t>(work.count), member, 1, size); };
  const auto offset = [&](int member) { return static_cast<std::size_t>(stripe(member).offset) * unit; };
  const auto length = [&](int member) { return static_cast<std::size_t>(stripe(member).length) * unit; };
  std::vector<std::byte> share(length(me));
  Batch stripes(comm);
  each_other([&](int other) { stripes.send(work.in + offset(other), length(other), other); });
  combine(stripes, work.in + offset(me), size, {nullptr, share.data(), share.size() / unit, work.op});
  Batch shares(comm);
  const bool reads = reader == everybody || reader == me;
  each_other([&](int other) {
    if (reader == everybody || reader == other) shares.send(share.data(), share.size(), other);
    if (reads) shares.receive(work.out + offset(other), length(other), other);
  });
  shares.end();
  if (reads && !share.empty()) copy_bytes(work.out + offset(me), share.data(), share.size());
}

/// Other variants than `striped` are messages to whoever combines all.
void ShmGroup::State::reduce(const Reduction& work, int reader, const Borders& borders) {
  if (work.bytes() == 0) return;
  const auto which = reader == everybody ? Collective::allreduce : Collective::reduce;
  const Variant variant = borders.settled != Variant::any
                              ? borders.settled
                              : shm::settle({which, work.bytes(), work.op.unit}, layout_of(size), borders);
  variant == Variant::striped ? reduce_striped(work, reader) : reduce_flat(work, reader);
}

void ShmGroup::State::scan(const Reduction& work, bool inclusive) {
  const int members = inclusive ? me + 1 : me;
  Batch batch(comm);
  for (int other = me + 1; other < size; ++other) batch.send(work.in, work.bytes(), other);
  if (members > 0)
    combine(batch, work.in, members, work);
  else
    batch.end();
}

ShmGroup::ShmGroup(std::unique_ptr<State> state) : state_(std::move(state)) {}

ShmGroup::~ShmGroup() = default;

Variant ShmGroup::settle(const VariantCall& call, const Borders& borders) const {
  return shm::settle(call, layout_of(size()), borders);
}

std::string_view ShmGroup::obstacle(const VariantCall& call, const Borders& borders) const {
  const VariantRow* const row = find_variant(call.collective, borders.asked);
  return row != nullptr ? shm::obstacle(*row, call, layout_of(size()), borders) : "";
}

/// Everybody tells everybody.
void ShmGroup::barrier(const Borders&) {
  Batch batch(state_->comm);
  std::byte token{};
  std::vector<std::byte> tokens(static_cast<std::size_t>(size()));
  state_->each_other([&](int other) {
    batch.send(&token, 1, other);
    batch.receive(&tokens[static_cast<std::size_t>(other)], 1, other);
  });
  batch.end();
}

/// Messages need the memory: simulated ranks have it, or fail alone.
void ShmGroup::forfeit(bool yes) { state_->forfeits = yes; }

namespace {

Ending ending_of(bool fitted) { return fitted ? Ending::whole : Ending::cut; }

}  // namespace

Ending ShmGroup::bcast(void* buffer, std::size_t bytes, int root, const Borders&) {
  if (state_->forfeits) return Ending::failed;
  Batch batch(state_->comm);
  if (me() == root)
    state_->each_other([&](int other) { batch.send(bytes_at(buffer), bytes, other); });
  else
    batch.receive(bytes_at(buffer), bytes, root);
  return ending_of(batch.end());
}

Ending ShmGroup::gather(const Blocks& blocks, int root, Sizes, const Borders&, const OwnBlock& own) {
  if (state_->forfeits) return Ending::failed;
  own.move();
  Batch batch(state_->comm);
  if (me() == root)
    state_->each_other([&](int other) { batch.receive(blocks.at(other), blocks.size(other), other); });
  else
    batch.send(blocks.at(me()), blocks.size(me()), root);
  return ending_of(batch.end());
}

Ending ShmGroup::scatter(const Blocks& blocks, int root, Sizes, const Borders&, const OwnBlock& own) {
  if (state_->forfeits) return Ending::failed;
  own.move();
  Batch batch(state_->comm);
  if (me() == root)
    state_->each_other([&](int other) { batch.send(blocks.at(other), blocks.size(other), other); });
  else
    batch.receive(blocks.at(me()), blocks.size(me()), root);
  return ending_of(batch.end());
}

Ending ShmGroup::allgather(const Blocks& blocks, const Borders&, const OwnBlock& own) {
  if (state_->forfeits) return Ending::failed;
  own.move();
  Batch batch(state_->comm);
  state_->each_other([&](int other) {
    batch.send(blocks.at(me()), blocks.size(me()), other);
    batch.receive(blocks.at(other), blocks.size(other), other);
  });
  return ending_of(batch.end());
}

Ending ShmGroup::alltoall(const Blocks& in, const Blocks& out, Sizes, const Borders&, const OwnBlock& own) {
  if (state_->forfeits) return Ending::failed;
  own.move();
  Batch batch(state_->comm);
  state_->each_other([&](int other) {
    batch.send(in.at(other), in.size(other), other);
    batch.receive(out.at(other), out.size(other), other);
  });
  return ending_of(batch.end());
}

Ending ShmGroup::reduce(const void* in, void* out, std::size_t count, const Reducer& op, int root,
                        const Borders& borders) {
  if (state_->forfeits) return Ending::failed;
  state_->reduce({bytes_at(in), bytes_at(out), count, op}, root, borders);
  return Ending::whole;
}

Ending ShmGroup::allreduce(const void* in, void* out, std::size_t count, const Reducer& op, const Borders& borders) {
  if (state_->forfeits) return Ending::failed;
  state_->reduce({bytes_at(in), bytes_at(out), count, op}, everybody, borders);
  return Ending::whole;
}

Ending ShmGroup::reduce_scatter(const void* in, void* out, const Shares& blocks, const Reducer& op, const Borders&) {
  if (state_->forfeits) return Ending::failed;
  const auto at = [&](int member) { return bytes_at(in) + blocks.place(member) * op.unit; };
  Batch batch(state_->comm);
  state_->each_other([&](int other) { batch.send(at(other), blocks.count(other) * op.unit, other); });
  state_->combine(batch, at(me()), size(), {nullptr, bytes_at(out), blocks.count(me()), op});
  return Ending::whole;
}

Ending ShmGroup::scan(const void* in, void* out, std::size_t count, const Reducer& op, const Borders&) {
  if (state_->forfeits) return Ending::failed;
  state_->scan({bytes_at(in), bytes_at(out), count, op}, true);
  return Ending::whole;
}

Ending ShmGroup::exscan(const void* in, void* out, std::size_t count, const Reducer& op, const Borders&) {
  if (state_->forfeits) return Ending::failed;
  state_->scan({bytes_at(in), bytes_at(out), count, op}, false);
  return Ending::whole;
}

int ShmGroup::size() const { return state_->size; }
int ShmGroup::me() const { return state_->me; }
std::size_t ShmGroup::received() const { return 0; }

/// Every wait moves messages.
void ShmGroup::progress_soon() {}

}  // namespace tutti::shm

namespace tutti::runtime {

std::unique_ptr<shm::ShmGroup> group_over_messages(MPI_Comm comm, int rank, int size) {
  return std::make_unique<shm::ShmGroup>(std::make_unique<shm::ShmGroup::State>(comm, rank, size));
}

}  // namespace tutti::runtime

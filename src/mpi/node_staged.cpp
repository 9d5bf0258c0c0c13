/// Calls on the node engine.  It knows bytes and packed elements; flat buffers are used where the user has them.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "mpi/combiner.hpp"
#include "mpi/engine.hpp"
#include "mpi/errors.hpp"
#include "mpi/executor.hpp"
#include "mpi/moving.hpp"
#include "mpi/packing.hpp"
#include "mpi/staging.hpp"

namespace tutti::mpi {
namespace {

struct Free {
  void operator()(std::byte* memory) const { std::free(memory); }
};

/// A user's buffer as packed bytes: itself where flat, else memory of our own.
class Flattened {
 public:
  Flattened(const Typed& elements, const void* user, std::int64_t count)
      : elements_(elements), user_(user), count_(count), bytes_(static_cast<std::size_t>(count * elements.info.size)) {
    if (elements.info.flat || bytes_ == 0) return;
    memory_.reset(static_cast<std::byte*>(std::malloc(bytes_)));
    if (!memory_) throw std::bad_alloc();
  }
  std::byte* data() const { return memory_ ? memory_.get() : at(user_, 0); }
  std::size_t bytes() const { return bytes_; }
  void load() const {
    if (memory_) pack(elements_, user_, count_, memory_.get());
  }
  void store() const {
    if (memory_) unpack(elements_, memory_.get(), count_, const_cast<void*>(user_));
  }

 private:
  Typed elements_;
  const void* user_;
  std::int64_t count_;
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> memory_;
};

/// Whether this rank gets a result of a reduce, allreduce, scan or exscan.
bool receives(const Operation& call, const node::Team& team) {
  if (call.collective == Collective::reduce) return team.me() == call.root;
  return call.collective != Collective::exscan || team.me() > 0;
}

/// Combines nothing: a rank that has forfeited its part has no operands.
node::Reducer idle(std::size_t unit) {
  return {[](void*, const void*, const void*, void*, std::size_t) {}, nullptr, unit, false};
}

node::Ending combine(const Operation& call, node::Team& team, const void* in, void* out, std::size_t count,
                     const node::Reducer& op, const node::Borders& borders) {
  switch (call.collective) {
    case Collective::allreduce:
      return team.allreduce(in, out, count, op, borders);
    case Collective::reduce:
      return team.reduce(in, out, count, op, call.root, borders);
    case Collective::scan:
      return team.scan(in, out, count, op);
    default:
      return team.exscan(in, out, count, op);
  }
}

/// The operands of a rank and its result, as packed bytes.
struct Operands {
  const Flattened own;
  std::optional<Flattened> apart;

  Operands(const Operation& call, const Typed& elements, bool gets)
      : own(elements, call.in_place ? call.receive.buffer : call.send.buffer, call.receive.count) {
    own.load();
    if (gets && !call.in_place) apart.emplace(elements, call.receive.buffer, call.receive.count);
  }
  const Flattened& result() const { return apart ? *apart : own; }
};

/// Reduce, allreduce, scan and exscan: as many elements out as in, at each rank that gets a result.
int reduction(const Operation& call, const Typed& elements, const Engine& engine, const node::Borders& borders) {
  node::Team& team = *engine.team;
  // Elements without bytes are none.
  const auto count = static_cast<std::size_t>(elements.info.size > 0 ? call.receive.count : 0);
  const bool gets = receives(call, team);
  Combiner combiner(call.op, elements, engine.instructions);
  const node::Reducer& op = combiner.reducer();
  std::optional<Operands> operands;
  try {
    operands.emplace(call, elements, gets);
  } catch (...) {
    static std::byte nowhere;  // is never touched
    const node::Forfeit forfeited(team);
    combine(call, team, &nowhere, &nowhere, count, idle(op.unit), borders);
    throw;
  }
  const node::Ending ending =
      combine(call, team, operands->own.data(), gets ? operands->result().data() : nullptr, count, op, borders);
  require(combiner.error(), "MPI_Reduce_local");
  if (gets && ending == node::Ending::whole) operands->result().store();
  return code_of(ending);
}

/// Elements of each rank's block of a reduce_scatter(_block).
node::Shares shares_of(const Operation& call, Engine& engine) {
  if (!call.receive.counts) return {static_cast<std::size_t>(call.receive.count), nullptr, nullptr};
  auto* const counts = engine.arena.take_array<std::int64_t>(static_cast<std::size_t>(engine.size));
  for (int rank = 0; rank < engine.size; ++rank) counts[rank] = call.receive.counts[rank];
  return {0, counts, nullptr};
}

/// Each member gets the combination of its own block: reduce_scatter(_block).
int partial_reduction(const Operation& call, Engine& engine, const node::Borders& borders) {
  node::Team& team = *engine.team;
  engine.arena.reset();
  std::optional<Staging> staging;
  try {
    staging.emplace(call, engine.arena, engine.comm, team.me(), team.size(), engine.instructions);
  } catch (...) {
    static std::byte nowhere;  // is never touched
    engine.arena.reset();
    const node::Forfeit forfeited(team);
    const auto unit = static_cast<std::size_t>(std::max<std::int64_t>(size_of(call.receive.type), 1));
    team.reduce_scatter(&nowhere, &nowhere, shares_of(call, engine), idle(unit), borders);
    throw;
  }
  const Frame& frame = staging->frame();
  const Layout& layout = frame.layouts.output;
  const node::Blocks blocks = blocks_of(layout, nullptr, engine.arena);
  std::byte* const mine = at(frame.output, layout.offset(team.me()) * frame.unit);
  const node::Ending ending =
      team.reduce_scatter(frame.input, mine, {blocks.block, blocks.sizes}, staging->combiner()->reducer(), borders);
  require(staging->combiner()->error(), "MPI_Reduce_local");
  if (ending == node::Ending::whole) staging->finish();
  engine.arena.reset();
  return code_of(ending);
}

}  // namespace

int execute_on_node(const Operation& call, Engine& engine, const node::Borders& borders) noexcept {
  try {
    if (call.collective == Collective::barrier) return engine.team->barrier(), MPI_SUCCESS;
    if (call.collective == Collective::reduce_scatter || call.collective == Collective::reduce_scatter_block)
      return partial_reduction(call, engine, borders);
    if (!reduces(call.collective)) return move_on_node(call, engine, borders);
    const MPI_Datatype type = call.receive.type;
    return reduction(call, {type, describe(type, call.comm), call.comm}, engine, borders);
  } catch (...) {
    return code_of_failure();
  }
}

}  // namespace tutti::mpi

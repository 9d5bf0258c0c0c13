/// Calls on the node engine.  It knows bytes and packed elements; flat buffers are used where the user has them.
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

/// Reduce, allreduce, scan and exscan: as many elements out as in, at each rank that gets a result.
void reduction(const Operation& call, const Typed& elements, const Engine& engine) {
  node::Team& team = *engine.team;
  // Elements without bytes are none.
  const auto count = static_cast<std::size_t>(elements.info.size > 0 ? call.receive.count : 0);
  const bool gets = receives(call, team);
  Combiner combiner(call.op, elements, engine.instructions);
  const Flattened own(elements, call.in_place ? call.receive.buffer : call.send.buffer, call.receive.count);
  own.load();
  std::optional<Flattened> apart;
  if (gets && !call.in_place) apart.emplace(elements, call.receive.buffer, call.receive.count);
  const Flattened& result = apart ? *apart : own;
  std::byte* const in = own.data();
  std::byte* const out = gets ? result.data() : nullptr;
  const node::Reducer& op = combiner.reducer();
  if (call.collective == Collective::allreduce)
    team.allreduce(in, out, count, op);
  else if (call.collective == Collective::reduce)
    team.reduce(in, out, count, op, call.root);
  else if (call.collective == Collective::scan)
    team.scan(in, out, count, op);
  else
    team.exscan(in, out, count, op);
  if (combiner.error() != MPI_SUCCESS) throw MpiError(combiner.error(), "MPI_Reduce_local");
  if (gets) result.store();
}

/// Each member gets the combination of its own block: reduce_scatter(_block).
void partial_reduction(const Operation& call, Engine& engine) {
  node::Team& team = *engine.team;
  engine.arena.reset();
  Staging staging(call, engine.arena, engine.comm, team.me(), team.size(), engine.instructions);
  const Frame& frame = staging.frame();
  const Layout& layout = frame.layouts.output;
  const node::Reducer& op = staging.combiner()->reducer();
  const node::Blocks blocks = blocks_of(layout, nullptr, engine.arena);
  std::byte* const mine = at(frame.output, layout.offset(team.me()) * frame.unit);
  team.reduce_scatter(frame.input, mine, {blocks.block, blocks.sizes}, op);
  if (staging.combiner()->error() != MPI_SUCCESS) throw MpiError(staging.combiner()->error(), "MPI_Reduce_local");
  staging.finish();
  engine.arena.reset();
}

}  // namespace

int execute_on_node(const Operation& call, Engine& engine, const node::Borders& borders) noexcept {
  try {
    if (call.collective == Collective::barrier) {
      engine.team->barrier();
    } else if (call.collective == Collective::reduce_scatter || call.collective == Collective::reduce_scatter_block) {
      partial_reduction(call, engine);
    } else if (reduces(call.collective)) {
      const MPI_Datatype type = call.receive.type;
      reduction(call, {type, describe(type, call.comm), call.comm}, engine);
    } else {
      move_on_node(call, engine, borders);
    }
    return MPI_SUCCESS;
  } catch (...) {
    return code_of_failure();
  }
}

}  // namespace tutti::mpi

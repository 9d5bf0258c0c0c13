#include "runtime/plan/node_staged.hpp"

#include <algorithm>
#include <optional>

#include "runtime/datatype/combiner.hpp"
#include "runtime/datatype/packing.hpp"
#include "runtime/errors.hpp"
#include "runtime/plan/node_calls.hpp"
#include "runtime/plan/sides.hpp"
#include "runtime/plan/staging.hpp"

namespace tutti::runtime {
namespace {

using enum Collective;

std::byte nowhere;  // passed by a rank that has forfeited its part, never accessed

/// Combines nothing: a rank that has forfeited its part has no operands.
shm::Reducer idle(std::size_t unit) {
  return {[](void*, const void*, const void*, void*, std::size_t) {}, nullptr, unit, false};
}

/// Runs `prepare`; where that fails, this rank makes the call without data, by `forfeited`, before what was thrown goes
/// on.
template <class Prepare, class Forfeited>
void or_forfeit(Engine& engine, Prepare&& prepare, Forfeited&& forfeited) {
  try {
    prepare();
  } catch (...) {
    engine.arena.reset();
    const shm::Forfeit forfeit(*engine.group);
    forfeited();
    throw;
  }
}

/// The blocks of a side by their sizes alone, `owners` of them.
shm::Blocks sizes_of(const Side& side, int owners, Engine& engine) {
  if (owners == 0) return {};
  if (!side.counts) return {&nowhere, static_cast<std::size_t>(side.count * size_of(side.type)), nullptr, nullptr};
  auto* const offsets = engine.arena.take_array<std::int64_t>(2 * static_cast<std::size_t>(owners));
  auto* const sizes = offsets + owners;
  for (int owner = 0; owner < owners; ++owner) {
    const std::int64_t count = side.counts[owner];
    offsets[owner] = 0, sizes[owner] = count == 0 ? 0 : count * size_of(side.types ? side.types[owner] : side.type);
  }
  return {&nowhere, 0, offsets, sizes};
}

void move_nothing(const Operation& call, Engine& engine, const shm::Borders& borders) {
  const Sides sides(call, engine.rank, engine.size);
  const bool twice = call.in_place && contract(call.collective).in_place == InPlace::all_in_receive;
  const Rows rows{sizes_of(twice ? call.receive : call.send, sides.send, engine),
                  sizes_of(call.receive, sides.receive, engine)};
  move_rows(call, *engine.group, rows, borders);
}

int move(const Operation& call, Engine& engine, const shm::Borders& borders) {
  std::optional<Staging> staging;
  or_forfeit(
      engine, [&] { staging.emplace(call, engine.arena, engine.comm, engine.rank, engine.size); },
      [&] { move_nothing(call, engine, borders); });
  const Frame& frame = staging->frame();
  const Rows rows{blocks_of(frame.layouts.input, frame.input, engine.arena),
                  blocks_of(frame.layouts.output, frame.output, engine.arena)};
  const shm::Ending ending = move_rows(call, *engine.group, rows, borders);
  if (ending == shm::Ending::less && (call.collective == bcast || call.collective == scatter))
    staging->keep_from(static_cast<std::int64_t>(engine.group->received()));
  if (ending != shm::Ending::failed) staging->finish();
  return code_of(ending);
}

/// A rank's contribution to a reduction of vectors and its result, as packed elements.
struct Operands {
  std::byte *in = nullptr, *out = nullptr;
  bool packed = false;  ///< apart from the user's memory

  Operands(const Operation& call, const Typed& elements, Arena& arena, bool gets) {
    const std::int64_t count = call.receive.count, bytes = count * elements.info.size;
    packed = !elements.info.flat && bytes > 0;
    const void* const own = call.in_place ? call.receive.buffer : call.send.buffer;
    const auto memory = [&] { return arena.take(static_cast<std::size_t>(bytes)); };
    in = packed ? memory() : at(own, 0);
    if (gets) out = call.in_place ? in : packed ? memory() : at(call.receive.buffer, 0);
    if (packed) pack(elements, own, count, in);
  }
};

/// Reduce, allreduce, scan and exscan: as many elements out as in, at each rank that gets a result.
int combine(const Operation& call, Engine& engine, const shm::Borders& borders) {
  const MPI_Datatype type = call.receive.type;
  const Typed elements{type, describe(type, call.comm), call.comm};
  // Elements without bytes are none.
  const auto count = static_cast<std::size_t>(elements.info.size > 0 ? call.receive.count : 0);
  const bool gets = among(contract(call.collective).receive.ranks, engine.rank, call.root);
  Combiner combiner(call.op, elements, engine.instructions);
  const shm::Reducer& op = combiner.reducer();
  std::optional<Operands> operands;
  or_forfeit(
      engine, [&] { operands.emplace(call, elements, engine.arena, gets); },
      [&] { combine_rows(call, *engine.group, &nowhere, &nowhere, {count}, idle(op.unit), borders); });
  const shm::Ending ending = combine_rows(call, *engine.group, operands->in, operands->out, {count}, op, borders);
  require(combiner.error(), "MPI_Reduce_local");
  if (gets && ending == shm::Ending::whole && operands->packed)
    unpack(elements, operands->out, call.receive.count, const_cast<void*>(call.receive.buffer));
  return code_of(ending);
}

/// Elements of each rank's block of a reduce_scatter(_block).
shm::Shares shares_of(const Operation& call, Engine& engine) {
  if (!call.receive.counts) return {static_cast<std::size_t>(call.receive.count), nullptr, nullptr};
  auto* const counts = engine.arena.take_array<std::int64_t>(static_cast<std::size_t>(engine.size));
  for (int rank = 0; rank < engine.size; ++rank) counts[rank] = call.receive.counts[rank];
  return {0, counts, nullptr};
}

/// Each member gets the combination of its own block: reduce_scatter(_block).
int combine_blocks(const Operation& call, Engine& engine, const shm::Borders& borders) {
  std::optional<Staging> staging;
  or_forfeit(
      engine, [&] { staging.emplace(call, engine.arena, engine.comm, engine.rank, engine.size, engine.instructions); },
      [&] {
        const auto unit = static_cast<std::size_t>(std::max<std::int64_t>(size_of(call.receive.type), 1));
        combine_rows(call, *engine.group, &nowhere, &nowhere, shares_of(call, engine), idle(unit), borders);
      });
  const Frame& frame = staging->frame();
  const Layout& layout = frame.layouts.output;
  const shm::Blocks blocks = blocks_of(layout, nullptr, engine.arena);
  std::byte* const mine = at(frame.output, layout.offset(engine.rank) * frame.unit);
  const shm::Ending ending = combine_rows(call, *engine.group, frame.input, mine, {blocks.block, blocks.sizes},
                                          staging->combiner()->reducer(), borders);
  require(staging->combiner()->error(), "MPI_Reduce_local");
  if (ending == shm::Ending::whole) staging->finish();
  return code_of(ending);
}

}  // namespace

int run_staged(const Operation& call, Engine& engine, const shm::Borders& borders) {
  engine.arena.reset();
  const Contract& rules = contract(call.collective);
  const int code = !rules.reduces                   ? move(call, engine, borders)
                   : rules.send.shape == Shape::row ? combine_blocks(call, engine, borders)
                                                    : combine(call, engine, borders);
  engine.arena.reset();
  return code;
}

}  // namespace tutti::runtime

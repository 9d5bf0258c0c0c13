#include "mpi/moving.hpp"

#include <optional>

#include "algorithms/constraints.hpp"
#include "mpi/sides.hpp"
#include "mpi/staging.hpp"

namespace tutti::mpi {
namespace {

using enum Collective;

/// Most calls: nothing to pack.  The same as Staging does with such a call, in a quarter of the time (16 ns against
/// 60).
class Direct {
 public:
  Direct(const Operation& call, Engine& engine) : call_(call), engine_(engine), me_(engine.rank) {}

  /// Nothing where a side has to be packed, or is wrong.
  std::optional<Rows> rows() {
    if (call_.send.types != nullptr || (call_.in_place && call_.collective >= alltoall)) return std::nullopt;
    const Sides sides(call_, me_, engine_.size);
    Rows rows;
    if (!view(call_.send, sides.send, rows.in) || !view(call_.receive, sides.receive, rows.out)) return std::nullopt;
    if (sides.send != 0 && sides.receive != 0) {
      rows.own = {rows.out.at(me_), rows.in.at(me_), rows.in.size(me_)};
      if (rows.own.bytes != rows.out.size(me_)) return std::nullopt;
    }
    return rows;
  }

 private:
  bool view(const Side& side, int owners, node::Blocks& blocks) {
    if (owners == 0) return true;
    const std::int64_t unit = plain_size(side.type);
    if (unit < 0) return false;
    const auto layout = side.counts ? Layout::irregular(owners, side.counts, side.displacements, unit)
                                    : Layout::regular(owners, side.count * unit);
    blocks = blocks_of(layout, at(side.buffer, 0), engine_.arena);
    // A row that has my block alone has it in my place.
    if (owners == 1 && call_.collective != bcast)
      blocks.start = at(blocks.start, -static_cast<std::int64_t>(blocks.block) * me_);
    return true;
  }

  const Operation& call_;
  Engine& engine_;
  Rank me_;
};

/// The blocks of a side by their sizes alone, `owners` of them.
node::Blocks sizes_of(const Side& side, int owners, Engine& engine) {
  static std::byte nowhere;  // is never touched
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

/// For a rank that cannot do its part: the others are not to wait for it.
void forfeit(const Operation& call, Engine& engine, const node::Borders& borders) {
  const Sides sides(call, engine.rank, engine.size);
  engine.arena.reset();
  const bool twice = call.in_place && call.collective >= alltoall;  // one buffer for both sides
  const Rows rows{sizes_of(twice ? call.receive : call.send, sides.send, engine),
                  sizes_of(call.receive, sides.receive, engine)};
  const node::Forfeit forfeited(*engine.team);
  move_rows(call, *engine.team, rows, borders);
}

int move_staged(const Operation& call, Engine& engine, const node::Borders& borders) {
  std::optional<Staging> staging;
  try {
    staging.emplace(call, engine.arena, engine.comm, engine.rank, engine.size);
  } catch (...) {
    forfeit(call, engine, borders);
    throw;
  }
  const Frame& frame = staging->frame();
  const Rows rows{blocks_of(frame.layouts.input, frame.input, engine.arena),
                  blocks_of(frame.layouts.output, frame.output, engine.arena)};
  const node::Ending ending = move_rows(call, *engine.team, rows, borders);
  if (ending == node::Ending::less && (call.collective == bcast || call.collective == scatter))
    staging->keep_from(static_cast<std::int64_t>(engine.team->received()));
  if (ending != node::Ending::failed) staging->finish();
  return code_of(ending);
}

}  // namespace

node::Ending move_rows(const Operation& call, node::Team& team, const Rows& rows, const node::Borders& borders) {
  const bool root = team.me() == call.root;
  const auto sizes = irregular(call.collective) ? node::Sizes::own : node::Sizes::equal;
  switch (call.collective) {
    case bcast:
      return team.bcast(rows.out.start, rows.out.block, call.root, borders);
    case gather:
    case gatherv:
      return team.gather(root ? rows.out : rows.in, call.root, sizes, borders, rows.own);
    case scatter:
    case scatterv:
      return team.scatter(root ? rows.in : rows.out, call.root, sizes, borders, rows.own);
    case allgather:
    case allgatherv:
      return team.allgather(rows.out, borders, rows.own);
    default:  // alltoall, alltoallv, alltoallw
      return team.alltoall(rows.in, rows.out, sizes, borders, rows.own);
  }
}

node::Blocks blocks_of(const Layout& layout, std::byte* start, Arena& arena) {
  if (layout.is_regular()) return {start, static_cast<std::size_t>(layout.size(0)), nullptr, nullptr};
  const int owners = layout.owners();
  auto* const offsets = arena.take_array<std::int64_t>(2 * static_cast<std::size_t>(owners));
  auto* const sizes = offsets + owners;
  for (int owner = 0; owner < owners; ++owner) offsets[owner] = layout.offset(owner), sizes[owner] = layout.size(owner);
  return {start, 0, offsets, sizes};
}

int move_on_node(const Operation& call, Engine& engine, const node::Borders& borders) {
  engine.arena.reset();
  const std::optional<Rows> rows = Direct(call, engine).rows();
  return rows ? code_of(move_rows(call, *engine.team, *rows, borders)) : move_staged(call, engine, borders);
}

}  // namespace tutti::mpi

#include "mpi/repetition.hpp"

#include "mpi/acceptance.hpp"
#include "mpi/errors.hpp"
#include "mpi/moving.hpp"
#include "mpi/operators.hpp"
#include "mpi/packing.hpp"
#include "mpi/sides.hpp"

namespace tutti::mpi {
namespace {

using enum Collective;

/// Longer rows of counts would be kept for too little.
constexpr int most_owners = 128;

}  // namespace

bool Repetition::Row::matches_all(const Side& side) const {
  const bool placed = given.size() > static_cast<std::size_t>(owners);
  if (!side.counts || (placed && !side.displacements)) return false;
  for (int owner = 0; owner < owners; ++owner) {
    const auto at = static_cast<std::size_t>(owner);
    if (side.counts[owner] != given[at]) return false;
    if (placed && side.displacements[owner] != given[at + static_cast<std::size_t>(owners)]) return false;
    if (!types.empty() && side.types[owner] != types[at]) return false;
  }
  return true;
}

bool Repetition::Row::learn(const Side& side, int blocks_of_it) {
  count = side.count, type = side.type, owners = blocks_of_it;
  if (owners == 0) return true;
  if (side.counts) return owners <= most_owners && learn_all(side);
  const std::int64_t unit = plain_size(type);
  blocks.block = static_cast<std::size_t>(count * unit);
  return unit >= 0;
}

bool Repetition::Row::learn_all(const Side& side) {
  const auto number = static_cast<std::size_t>(owners);
  given.resize(side.displacements ? 2 * number : number), bytes.resize(2 * number);
  if (side.types) types.assign(side.types, side.types + owners);
  for (int owner = 0; owner < owners; ++owner) {
    const auto at = static_cast<std::size_t>(owner);
    const std::int64_t unit = plain_size(side.types ? side.types[owner] : type);
    if (unit < 0) return false;
    given[at] = side.counts[owner], bytes[number + at] = given[at] * unit;
    if (side.displacements) given[number + at] = side.displacements[owner];
    bytes[at] = side.displacements ? given[number + at] * (side.types ? 1 : unit) : 0;
  }
  blocks.offsets = bytes.data(), blocks.sizes = bytes.data() + number;
  return true;
}

node::Blocks Repetition::Row::at(const void* buffer) const {
  node::Blocks placed = blocks;
  if (owners != 0) placed.start = mpi::at(buffer, shift);
  return placed;
}

std::unique_ptr<Repetition> Repetition::of(const Operation& call, const Choice& choice, const Engine& engine) {
  std::unique_ptr<Repetition> found(new Repetition(call, choice));
  if (!found->learn(call, engine)) return nullptr;
  return found;
}

bool Repetition::learn(const Operation& call, const Engine& engine) {
  return reduces(call.collective) ? learn_reduction(call, engine) : learn_movement(call, engine);
}

bool Repetition::learn_movement(const Operation& call, const Engine& engine) {
  if (in_place_ && (collective_ == alltoall || collective_ == alltoallv || collective_ == alltoallw)) return false;
  const Sides sides(call, engine.rank, engine.size);
  if (!send_.learn(call.send, sides.send) || !receive_.learn(call.receive, sides.receive)) return false;
  // A row that has my block alone has it in my place.
  for (Row* const row : {&send_, &receive_})
    if (row->owners == 1 && collective_ != bcast)
      row->shift = -static_cast<std::int64_t>(row->blocks.block) * engine.rank;
  if (sides.send == 0 || sides.receive == 0) return true;
  own_ = send_.blocks.size(engine.rank);
  if (own_ != 0) aliased_at_ = send_.place(engine.rank) - receive_.place(engine.rank);
  return own_ == receive_.blocks.size(engine.rank);
}

bool Repetition::learn_reduction(const Operation& call, const Engine& engine) {
  const bool parts = collective_ == reduce_scatter || collective_ == reduce_scatter_block;
  if (parts && in_place_) return false;
  const auto ours = operator_of(op_);
  const bool gets = collective_ == reduce ? engine.rank == root_ : collective_ != exscan || engine.rank > 0;
  const int results = collective_ == reduce_scatter ? engine.size : 1;
  if (!ours) return false;
  // How much is contributed stands on the receiving side of every reduction.
  send_.count = call.send.count, send_.type = call.send.type, send_.owners = in_place_ ? 0 : 1;
  if (!receive_.learn(call.receive, gets || in_place_ ? results : 0)) return false;
  if (send_.owners != 0 && receive_.owners != 0) aliased_at_ = 0;
  if (plain_size(call.receive.type) < 0) return false;
  const Acceptance accepted = acceptance(op_, call.receive.type, describe(call.receive.type, call.comm));
  if (!accepted.element) return false;
  reducer_ = node::kernel(*ours, *accepted.element, engine.instructions);
  return reducer_.apply != nullptr;
}

node::Ending Repetition::move(const Operation& call, Engine& engine) const {
  Rows rows{send_.at(call.send.buffer), receive_.at(call.receive.buffer)};
  if (own_ != 0) rows.own = {rows.out.at(engine.rank), rows.in.at(engine.rank), own_};
  return move_rows(call, *engine.team, rows, borders_);
}

node::Ending Repetition::combine(const Operation& call, node::Team& team) const {
  const void* const in = in_place_ ? call.receive.buffer : call.send.buffer;
  void* const out = receive_.owners != 0 ? const_cast<void*>(call.receive.buffer) : nullptr;
  const auto count = static_cast<std::size_t>(receive_.count);
  switch (collective_) {
    case reduce:
      return team.reduce(in, out, count, reducer_, root_, borders_);
    case scan:
      return team.scan(in, out, count, reducer_);
    case exscan:
      return team.exscan(in, out, count, reducer_);
    case reduce_scatter:
      return team.reduce_scatter(in, out, {0, receive_.given.data()}, reducer_, borders_);
    case reduce_scatter_block:
      return team.reduce_scatter(in, out, {count}, reducer_, borders_);
    default:
      return team.allreduce(in, out, count, reducer_, borders_);
  }
}

int Repetition::carry_out(const Operation& call, Engine& engine) const noexcept {
  try {
    if (collective_ == barrier) return engine.team->barrier(), MPI_SUCCESS;
    return code_of(reduces(collective_) ? combine(call, *engine.team) : move(call, engine));
  } catch (...) {
    return code_of_failure();
  }
}

}  // namespace tutti::mpi

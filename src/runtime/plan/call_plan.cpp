#include "runtime/plan/call_plan.hpp"

#include <exception>
#include <utility>

#include "runtime/datatype/acceptance.hpp"
#include "runtime/datatype/operators.hpp"
#include "runtime/datatype/packing.hpp"
#include "runtime/errors.hpp"
#include "runtime/plan/node_calls.hpp"
#include "runtime/plan/node_staged.hpp"
#include "runtime/plan/node_variant.hpp"
#include "runtime/plan/sides.hpp"
#include "runtime/wire/flat_call.hpp"

namespace tutti::runtime {
namespace {

using enum Collective;

/// Longer rows of counts are not worth keeping.
constexpr int most_owners = 128;

/// Whether nothing is moved, and all ranks know that: then none waits for another.  With a user's operator, elements
/// may have bytes on some ranks only.
bool moves_nothing(const Operation& call, Rank me) {
  const Contract& rules = contract(call.collective);
  const Side& side = side_of_size(call, me);
  if (rules.size != CommonSize::count) return false;
  return side.count == 0 || (!rules.reduces && size_of(side.type) == 0);
}

}  // namespace

bool CallPlan::Row::matches_all(const Side& side) const {
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

bool CallPlan::Row::bind(const Side& side, int blocks_of_it) {
  count = side.count, type = side.type, owners = blocks_of_it, shift = 0;
  blocks = {}, given.clear(), types.clear();
  if (owners == 0) return true;
  if (side.counts) return bind_all(side);
  const std::int64_t unit = plain_size(type);
  blocks.block = static_cast<std::size_t>(count * unit);
  return unit >= 0;
}

bool CallPlan::Row::bind_all(const Side& side) {
  const auto number = static_cast<std::size_t>(owners);
  given.resize(side.displacements ? 2 * number : number), bytes.resize(2 * number);
  if (side.types) types.assign(side.types, side.types + owners);
  const std::int64_t each = side.types ? 0 : plain_size(type);
  for (int owner = 0; owner < owners; ++owner) {
    const auto at = static_cast<std::size_t>(owner);
    const std::int64_t unit = side.types ? plain_size(side.types[owner]) : each;
    if (unit < 0) return false;
    given[at] = side.counts[owner], bytes[number + at] = given[at] * unit;
    if (side.displacements) given[number + at] = side.displacements[owner];
    bytes[at] = side.displacements ? given[number + at] * (side.types ? 1 : unit) : 0;
  }
  blocks.offsets = bytes.data(), blocks.sizes = bytes.data() + number;
  return true;
}

shm::Blocks CallPlan::Row::at(const void* buffer) const {
  shm::Blocks placed = blocks;
  if (owners != 0) placed.start = runtime::at(buffer, shift);
  return placed;
}

void CallPlan::bind(const Operation& call, const Choice& choice, std::int64_t bytes, const Member& me) noexcept try {
  collective_ = call.collective, in_place_ = call.in_place, root_ = call.root, op_ = call.op;
  choice_ = &choice, borders_ = borders_of(choice);
  contest_ = nullptr, own_ = 0, aliased_at_ = never;
  lasts_ = false, way_ = Way::staged;
  if (choice.kind == Choice::Kind::flat) parameters_ = parameters_for(choice, bytes);
  const bool combines = reduces(collective_);
  const bool direct = combines ? bind_reduction(call, me) : bind_movement(call, me);
  if (direct) way_ = combines ? Way::combine : collective_ == barrier ? Way::barrier : Way::move;
  if (moves_nothing(call, me.rank)) way_ = Way::nothing;
  if (direct && me.group != nullptr) settle_variant(call, me);
  lasts_ = direct && send_.owners <= most_owners && receive_.owners <= most_owners;
  if (!lasts_ || choice.kind == Choice::Kind::node || choice.kind == Choice::Kind::native) return;
  for (const auto& [side, info] : {std::pair{&call.send, &send_type_}, std::pair{&call.receive, &receive_type_}})
    *info = side->type == MPI_DATATYPE_NULL || side->types ? TypeInfo{} : describe(side->type, call.comm);
} catch (const std::exception&) {
  // Not bound further: staging meets the same error and handles it.
}

/// Where blocks differ, and no rank knows all of them, each takes its own way.
void CallPlan::settle_variant(const Operation& call, const Member& me) {
  borders_.settled = me.group->settle(variant_call(call, me.rank, me.size), borders_);
}

bool CallPlan::bind_movement(const Operation& call, const Member& me) {
  const Sides sides(call, me.rank, me.size);
  if (!send_.bind(call.send, sides.send) || !receive_.bind(call.receive, sides.receive)) return false;
  // One buffer for both sides: data still to be sent must be kept.
  if (in_place_ && contract(collective_).in_place == InPlace::all_in_receive) return false;
  // A row that has my block alone has it in my place.
  for (Row* const row : {&send_, &receive_})
    if (row->owners == 1 && collective_ != bcast) row->shift = -static_cast<std::int64_t>(row->blocks.block) * me.rank;
  if (sides.send == 0 || sides.receive == 0) return true;
  own_ = send_.blocks.size(me.rank);
  if (own_ != 0) aliased_at_ = send_.place(me.rank) - receive_.place(me.rank);
  return own_ == receive_.blocks.size(me.rank);
}

bool CallPlan::bind_reduction(const Operation& call, const Member& me) {
  const Contract& rules = contract(collective_);
  const bool gets = among(rules.receive.ranks, me.rank, root_), parts = rules.send.shape == Shape::row;
  // How much is contributed stands on the receiving side of every reduction.
  send_.count = call.send.count, send_.type = call.send.type, send_.owners = in_place_ ? 0 : 1;
  send_.given.clear();
  if (!receive_.bind(call.receive, gets || in_place_ ? (rules.receive.irregular ? me.size : 1) : 0)) return false;
  if (send_.owners != 0 && receive_.owners != 0) aliased_at_ = 0;
  const auto ours = operator_of(op_);
  if (!ours || plain_size(call.receive.type) < 0 || (parts && in_place_)) return false;
  const Acceptance accepted = acceptance(op_, call.receive.type, describe(call.receive.type, call.comm));
  if (!accepted.element) return false;
  reducer_ = shm::kernel(*ours, *accepted.element, me.instructions);
  return reducer_.apply != nullptr;
}

int CallPlan::move(const Operation& call, Engine& engine) const {
  Rows rows{send_.at(call.send.buffer), receive_.at(call.receive.buffer)};
  if (own_ != 0) rows.own = {rows.out.at(engine.rank), rows.in.at(engine.rank), own_};
  return code_of(move_rows(call, *engine.group, rows, borders_));
}

int CallPlan::combine(const Operation& call, shm::ShmGroup& group) const {
  const void* const in = in_place_ ? call.receive.buffer : call.send.buffer;
  void* const out = receive_.owners != 0 ? const_cast<void*>(call.receive.buffer) : nullptr;
  const auto count = static_cast<std::size_t>(receive_.count);
  if (receive_.given.empty()) return code_of(combine_rows(call, group, in, out, {count}, reducer_, borders_));
  return code_of(combine_rows(call, group, in, out, {0, receive_.given.data()}, reducer_, borders_));
}

int CallPlan::run_in_node(const Operation& call, Engine& engine) const {
  switch (way_) {
    case Way::nothing:
      return MPI_SUCCESS;
    case Way::barrier:
      return engine.group->barrier(borders_), MPI_SUCCESS;
    case Way::move:
      return move(call, engine);
    case Way::combine:
      return combine(call, *engine.group);
    case Way::staged:
      return run_staged(call, engine, borders_);
  }
  return MPI_ERR_INTERN;
}

/// The call, with the facts that staging would query again.
Operation CallPlan::with_facts(const Operation& call) const {
  Operation known = call;
  if (!lasts_) return known;
  if (send_type_.size > 0) known.send.info = &send_type_;
  if (receive_type_.size > 0) known.receive.info = &receive_type_;
  if (reducer_.apply && reduces(collective_)) known.reducer = &reducer_;
  return known;
}

int CallPlan::run(const Operation& call, const Venue& venue) const noexcept try {
  switch (choice_->kind) {
    [[likely]] case Choice::Kind::node : return run_in_node(call, *venue.engine);
    case Choice::Kind::flat:
      return execute(with_facts(call), *venue.messages, *choice_->algorithm, parameters_);
    case Choice::Kind::hierarchy:
      return execute_on_nodes(with_facts(call), *venue.hierarchy, *choice_);
    case Choice::Kind::native:
      break;
  }
  return MPI_ERR_INTERN;
} catch (...) {
  return code_of_failure();
}

}  // namespace tutti::runtime

#include "runtime/plan/staging.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/errors.hpp"

namespace tutti::runtime {

Staging::Staging(const Operation& call, Arena& arena, MPI_Comm comm, Rank me, int size,
                 shm::InstructionSet instructions)
    : call_(call),
      rules_(contract(call.collective)),
      arena_(arena),
      comm_(comm),
      me_(me),
      size_(size),
      instructions_(instructions) {
  if (rules_.reduces)
    rules_.send.shape == Shape::row ? prepare_reduce_scatter() : prepare_reduction();
  else if (rules_.receive.shape != Shape::nothing)
    prepare_moves();
}

void Staging::finish() {
  if (result_ && packed_.staged) result_->unpack_all(packed_, but_);
  if (!own_fits_) throw MpiError(MPI_ERR_TRUNCATE, "own block");
}

void Staging::keep_from(std::int64_t bytes) {
  if (!result_ || !packed_.staged || result_->bytes(0) <= bytes) return;
  std::byte* const kept = arena_.take(static_cast<std::size_t>(result_->bytes(0)));
  result_->pack_block(0, kept);
  std::memcpy(at(packed_.start, bytes), at(kept, bytes), static_cast<std::size_t>(result_->bytes(0) - bytes));
}

Region::Packed& Staging::receive_into(int owners, int but) {
  result_.emplace(call_.receive, owners, comm_);
  packed_ = result_->lay_out(arena_);
  but_ = but;
  frame_.output = packed_.start;
  frame_.layouts = {packed_.layout, packed_.layout};
  return packed_;
}

/// A block of `from`, as packed bytes.  More than there is room for is the user's error, as a message would be.
void Staging::move_own(const Region& from, Rank block, std::byte* into, std::int64_t room) {
  own_fits_ = from.bytes(block) <= room;
  if (own_fits_) from.pack_block(block, into);
}

/// A buffer that holds this rank's block alone: as if it lay in its place among all.
std::byte* Staging::alone(std::byte* start, std::int64_t bytes) {
  const Layout same = Layout::regular(size_, bytes);
  frame_.layouts = {same, same};
  return at(start, -same.offset(me_));
}

void Staging::prepare_moves() {
  const bool has_output = here(rules_.output.ranks), has_input = here(rules_.input.ranks);
  if (has_output) {
    const bool row = rules_.receive.shape == Shape::row;
    receive_into(row ? size_ : 1, row && call_.in_place ? me_ : -1);
    if (rules_.output.own) frame_.output = alone(packed_.start, result_->bytes(0));
  }
  if (has_input) take_input(has_output);
  if (here(rules_.holds_own)) hold_own();
}

/// What this rank gives, as packed bytes.  In place: what is still to be sent must not be overwritten by what arrives.
void Staging::take_input(bool has_output) {
  const bool from_output = call_.in_place && rules_.in_place == InPlace::all_in_receive;
  const bool own_stays = call_.in_place && rules_.in_place == InPlace::block_in_send;
  const Region given(from_output ? call_.receive : call_.send, rules_.send.shape == Shape::row ? size_ : 1, comm_);
  const Region::Packed packed = given.lay_out(arena_, from_output);
  if (packed.staged) given.pack_all(packed, own_stays ? me_ : -1);
  frame_.layouts.input = packed.layout;
  if (!has_output) frame_.layouts.output = packed.layout;
  frame_.input = rules_.input.own ? alone(packed.start, given.bytes(0)) : packed.start;
  if (has_output || rules_.input.own || own_stays) return;
  // Nothing else puts the rank's own block where it belongs.
  const Region own(call_.receive, 1, comm_);
  own_fits_ = given.bytes(me_) <= own.bytes(0);
  if (given.bytes(me_) == own.bytes(0)) own.unpack_block(0, packed.block(me_));
}

/// The output begins with what the rank itself gives.
void Staging::hold_own() {
  if (rules_.receive.shape == Shape::vector) {
    if (packed_.staged) result_->pack_all(packed_);
    result_.reset();  // the root's buffer is only read
  } else if (call_.in_place) {
    if (packed_.staged) result_->pack_block(me_, packed_.block(me_));
  } else {
    const bool row = rules_.send.shape == Shape::row;
    move_own(Region(call_.send, row ? size_ : 1, comm_), row ? me_ : 0, packed_.block(me_), result_->bytes(me_));
    const bool others_get_it = rules_.input.ranks == Ranks::none;
    if (!own_fits_ && others_get_it) throw MpiError(MPI_ERR_TRUNCATE, "own block");
  }
}

Typed Staging::combine() {
  const Typed elements{call_.receive.type, describe(call_.receive, comm_), comm_};
  if (call_.reducer)
    combiner_.emplace(*call_.reducer);
  else
    combiner_.emplace(call_.op, elements, instructions_);
  frame_.unit = std::max<std::int64_t>(elements.info.size, 1);
  return elements;
}

void Staging::prepare_reduction() {
  const Typed elements = combine();
  const std::int64_t count = elements.info.size > 0 ? call_.receive.count : 0;
  const Layout vector = Layout::regular(1, count);
  frame_.layouts = {vector, vector};
  const void* const own = call_.in_place ? call_.receive.buffer : call_.send.buffer;
  const auto memory = [&] { return arena_.take(static_cast<std::size_t>(count * frame_.unit)); };

  if (here(rules_.output.ranks)) {
    const bool gets = here(rules_.receive.ranks), direct = gets && elements.info.flat;
    frame_.output = direct ? at(call_.receive.buffer, 0) : memory();
    if (gets && !direct) {
      result_.emplace(call_.receive, 1, comm_);
      packed_ = {frame_.output, vector, true};
    }
  }
  if (here(rules_.input.ranks)) {
    const bool direct = elements.info.flat && !call_.in_place;
    frame_.input = direct ? at(own, 0) : memory();
    if (!direct) pack(elements, own, count, frame_.input);
  }
  if (here(rules_.holds_own) && frame_.output != own) pack(elements, own, count, frame_.output);
}

void Staging::prepare_reduce_scatter() {
  const Typed elements = combine();
  const Side& side = call_.receive;
  Layout blocks = Layout::regular(size_, side.count);
  if (elements.info.size == 0) {
    blocks = Layout::regular(size_, 0);
  } else if (side.counts) {
    auto* starts = arena_.take_array<std::int64_t>(static_cast<std::size_t>(size_));
    std::int64_t total = 0;
    for (int i = 0; i < size_; ++i) starts[i] = total, total += side.counts[i];
    blocks = Layout::irregular(size_, side.counts, CountView::wide(starts), 1);
  }
  frame_.layouts = {blocks, blocks};
  const std::int64_t total = blocks.total(), mine = blocks.size(me_), offset = blocks.offset(me_) * frame_.unit;
  const auto memory = [&](std::int64_t count) { return arena_.take(static_cast<std::size_t>(count * frame_.unit)); };

  // In place, the result overwrites the start of what is still to be sent.
  const void* const own = call_.in_place ? side.buffer : call_.send.buffer;
  const bool direct = elements.info.flat && !call_.in_place;
  if (here(rules_.input.ranks)) {
    frame_.input = direct ? at(own, 0) : memory(total);
    if (!direct) pack(elements, own, total, frame_.input);
  }

  std::byte* const result = elements.info.flat ? at(side.buffer, 0) : memory(mine);
  if (!elements.info.flat) {
    own_ = {side.buffer, mine, {}, {}, side.type, nullptr};
    result_.emplace(own_, 1, comm_);
    packed_ = {result, Layout::regular(1, mine * frame_.unit), true};
  }
  frame_.output = at(result, -offset);
  if (here(rules_.holds_own) && mine * frame_.unit > 0)
    std::memcpy(result, at(frame_.input, offset), static_cast<std::size_t>(mine * frame_.unit));
}

}  // namespace tutti::runtime

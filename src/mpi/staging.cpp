#include "mpi/staging.hpp"

#include <algorithm>
#include <cstring>

#include "mpi/errors.hpp"

namespace tutti::mpi {

Staging::Staging(const Operation& call, Arena& arena, MPI_Comm comm, Rank me, int size,
                 node::InstructionSet instructions)
    : call_(call), arena_(arena), comm_(comm), me_(me), size_(size), instructions_(instructions) {
  using enum Collective;
  const Collective which = call.collective;
  if (which == bcast) prepare_bcast();
  if (which == gather || which == gatherv) prepare_gather();
  if (which == scatter || which == scatterv) prepare_scatter();
  if (which == allgather || which == allgatherv) prepare_allgather();
  if (which == alltoall || which == alltoallv || which == alltoallw) prepare_alltoall();
  if (which == reduce || which == allreduce || which == scan || which == exscan) prepare_reduction();
  if (which == reduce_scatter || which == reduce_scatter_block) prepare_reduce_scatter();
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

void Staging::prepare_bcast() {
  const Region::Packed& packed = receive_into(1);
  if (me_ != call_.root) return;
  if (packed.staged) result_->pack_all(packed);
  result_.reset();  // the root's buffer is only read
}

void Staging::prepare_gather() {
  if (me_ == call_.root) {
    const Region::Packed& packed = receive_into(size_, call_.in_place ? me_ : -1);
    if (!call_.in_place)
      move_own(Region(call_.send, 1, comm_), 0, packed.block(me_), result_->bytes(me_));
    else if (packed.staged)
      result_->pack_block(me_, packed.block(me_));
    return;
  }
  const Region own(call_.send, 1, comm_);
  const Region::Packed packed = own.lay_out(arena_);
  if (packed.staged) own.pack_all(packed);
  const Layout same = Layout::regular(size_, own.bytes(0));
  frame_.layouts = {same, same};
  frame_.input = at(packed.start, -same.offset(me_));
}

void Staging::prepare_scatter() {
  if (me_ == call_.root) {
    const Region all(call_.send, size_, comm_);
    const Region::Packed packed = all.lay_out(arena_);
    if (packed.staged) all.pack_all(packed, call_.in_place ? me_ : -1);
    frame_.layouts = {packed.layout, packed.layout};
    frame_.input = packed.start;
    if (call_.in_place) return;
    const Region own(call_.receive, 1, comm_);
    own_fits_ = all.bytes(me_) <= own.bytes(0);
    if (all.bytes(me_) == own.bytes(0)) own.unpack_block(0, packed.block(me_));
    return;
  }
  receive_into(1);
  const Layout same = Layout::regular(size_, result_->bytes(0));
  frame_.layouts = {same, same};
  frame_.output = at(packed_.start, -same.offset(me_));
}

void Staging::prepare_allgather() {
  const Region::Packed& packed = receive_into(size_, call_.in_place ? me_ : -1);
  if (!call_.in_place)
    move_own(Region(call_.send, 1, comm_), 0, packed.block(me_), result_->bytes(me_));
  else if (packed.staged)
    result_->pack_block(me_, packed.block(me_));
  if (!own_fits_) throw MpiError(MPI_ERR_TRUNCATE, "own block");  // it is what the others wait for
}

void Staging::prepare_alltoall() {
  const Region::Packed& packed = receive_into(size_, call_.in_place ? me_ : -1);
  const Region source(call_.in_place ? call_.receive : call_.send, size_, comm_);
  // In place: what is still to be sent must not be overwritten by what arrives.
  const Region::Packed input = source.lay_out(arena_, call_.in_place);
  if (input.staged) source.pack_all(input);
  frame_.layouts.input = input.layout;
  frame_.input = input.start;
  if (call_.in_place && !packed.staged) return;
  move_own(source, me_, packed.block(me_), result_->bytes(me_));
}

Typed Staging::combine() {
  const Typed elements{call_.receive.type, describe(call_.receive.type, comm_), comm_};
  combiner_.emplace(call_.op, elements, instructions_);
  frame_.unit = std::max<std::int64_t>(elements.info.size, 1);
  return elements;
}

void Staging::prepare_reduction() {
  const Typed elements = combine();
  const std::int64_t count = elements.info.size > 0 ? call_.receive.count : 0;
  const Layout vector = Layout::regular(1, count);
  frame_.layouts = {vector, vector};
  const bool receives = call_.collective != Collective::reduce || me_ == call_.root;
  const bool exclusive = call_.collective == Collective::exscan;
  const void* const own = call_.in_place ? call_.receive.buffer : call_.send.buffer;
  const auto memory = [&] { return arena_.take(static_cast<std::size_t>(count * frame_.unit)); };

  if (receives && elements.info.flat) {
    frame_.output = at(call_.receive.buffer, 0);
  } else {
    frame_.output = memory();
    if (receives && !(exclusive && me_ == 0)) {  // rank 0 of an exscan gets nothing
      result_.emplace(call_.receive, 1, comm_);
      packed_ = {frame_.output, vector, true};
    }
  }
  if (exclusive) {
    const bool direct = elements.info.flat && !call_.in_place;
    frame_.input = direct ? at(own, 0) : memory();
    if (!direct) pack(elements, own, count, frame_.input);
  } else if (frame_.output != own) {
    pack(elements, own, count, frame_.output);
  }
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
  frame_.input = direct ? at(own, 0) : memory(total);
  if (!direct) pack(elements, own, total, frame_.input);

  std::byte* const result = elements.info.flat ? at(side.buffer, 0) : memory(mine);
  if (!elements.info.flat) {
    own_ = {side.buffer, mine, {}, {}, side.type, nullptr};
    result_.emplace(own_, 1, comm_);
    packed_ = {result, Layout::regular(1, mine * frame_.unit), true};
  }
  frame_.output = at(result, -offset);
  if (mine * frame_.unit > 0)
    std::memcpy(result, at(frame_.input, offset), static_cast<std::size_t>(mine * frame_.unit));
}

}  // namespace tutti::mpi

#include "runtime/datatype/region.hpp"

namespace tutti::runtime {

Region::Region(const Side& side, int owners, MPI_Comm comm)
    : side_(side), owners_(owners), comm_(comm), irregular_(static_cast<bool>(side.counts)) {
  if (!side.types) {
    type_ = {side.type, describe(side, comm), comm};
    flat_ = type_.info.flat;
  } else {
    for (int i = 0; i < owners && flat_; ++i) flat_ = count(i) == 0 || type_of(i).info.flat;
  }
}

// Types of blocks without elements may be null.
Typed Region::type_of(int owner) const {
  if (!side_.types) return type_;
  const MPI_Datatype type = side_.types[owner];
  return count(owner) == 0 ? Typed{} : Typed{type, describe(type, comm_), comm_};
}

std::byte* Region::block(int owner) const {
  if (side_.types) return at(side_.buffer, side_.displacements[owner]);
  return at(side_.buffer, type_.info.extent * (irregular_ ? side_.displacements[owner] : owner * side_.count));
}

void Region::pack_block(int owner, std::byte* into) const {
  if (count(owner) != 0) pack(type_of(owner), block(owner), count(owner), into);
}

void Region::unpack_block(int owner, const std::byte* from) const {
  if (count(owner) != 0) unpack(type_of(owner), from, count(owner), block(owner));
}

Region::Packed Region::lay_out(Arena& arena, bool always_staged) const {
  const bool staged = always_staged || !flat_;
  std::byte* const user = at(side_.buffer, 0);
  if (!irregular_) {
    const std::int64_t block = bytes(0);
    std::byte* const start = staged ? arena.take(static_cast<std::size_t>(owners_ * block)) : user;
    return {start, Layout::regular(owners_, block), staged};
  }
  if (!staged && !side_.types)
    return {user, Layout::irregular(owners_, side_.counts, side_.displacements, type_.info.size), false};

  auto* sizes = arena.take_array<std::int64_t>(static_cast<std::size_t>(owners_));
  auto* offsets = arena.take_array<std::int64_t>(static_cast<std::size_t>(owners_));
  std::int64_t total = 0;
  for (int i = 0; i < owners_; ++i) {
    sizes[i] = bytes(i);
    offsets[i] = staged ? total : side_.displacements[i];
    total += sizes[i];
  }
  std::byte* const start = staged ? arena.take(static_cast<std::size_t>(total)) : user;
  return {start, Layout::irregular(owners_, CountView::wide(sizes), CountView::wide(offsets), 1), staged};
}

void Region::pack_all(const Packed& packed, int but) const {
  if (!irregular_ && but < 0) return pack(type_, side_.buffer, owners_ * side_.count, packed.start);
  for (int i = 0; i < owners_; ++i)
    if (i != but) pack_block(i, packed.block(i));
}

void Region::unpack_all(const Packed& packed, int but) const {
  if (!irregular_ && but < 0)
    return unpack(type_, packed.start, owners_ * side_.count, const_cast<void*>(side_.buffer));
  for (int i = 0; i < owners_; ++i)
    if (i != but) unpack_block(i, packed.block(i));
}

}  // namespace tutti::runtime

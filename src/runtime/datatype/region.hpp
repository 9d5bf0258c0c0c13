#pragma once
/// One side of a call as the user gave it: a row of blocks, each so many elements of a type somewhere in a buffer.
#include "core/layout.hpp"
#include "runtime/arena.hpp"
#include "runtime/datatype/packing.hpp"
#include "runtime/plan/operation.hpp"

namespace tutti::runtime {

class Region {
 public:
  /// `owners` blocks; one block of `side.count` elements where owners is 1 and the side has no counts.
  Region(const Side& side, int owners, MPI_Comm comm);

  int owners() const { return owners_; }
  bool flat() const { return flat_; }
  std::int64_t bytes(int owner) const { return count(owner) * type_of(owner).info.size; }
  /// The block as packed bytes, or from packed bytes.
  void pack_block(int owner, std::byte* into) const;
  void unpack_block(int owner, const std::byte* from) const;

  /// The region as rows of packed bytes.  `staged`: they lie in memory of the arena, not in the user's buffer.
  struct Packed {
    std::byte* start = nullptr;
    Layout layout = Layout::regular(1, 0);
    bool staged = false;
    std::byte* block(int owner) const { return at(start, layout.offset(owner)); }
  };
  /// In place where flat, unless `always_staged`.  Moves nothing.
  Packed lay_out(Arena& arena, bool always_staged = false) const;
  /// Between the user's buffer and staged memory; `but` is left out.
  void pack_all(const Packed& packed, int but = -1) const;
  void unpack_all(const Packed& packed, int but = -1) const;

 private:
  std::int64_t count(int owner) const { return irregular_ ? side_.counts[owner] : side_.count; }
  Typed type_of(int owner) const;
  std::byte* block(int owner) const;
  const Side& side_;
  int owners_;
  MPI_Comm comm_;
  bool irregular_, flat_ = true;
  Typed type_;  ///< of all blocks, unless each has its own (alltoallw)
};

}  // namespace tutti::runtime

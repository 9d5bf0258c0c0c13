#pragma once
/// The elements of one call: how far apart they lie, how they are copied, how they travel.
///
/// Where data only moves, an element is one byte of packed data.  In a reduction it is one element of the call's
/// datatype: plain bytes where operator and type are predefined and the type is flat; otherwise *typed*: messages,
/// copies and reductions name the user's datatype, and gaps are left alone.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "mpi/packing.hpp"

namespace tutti::mpi {

struct Elements {
  std::int64_t unit = 1;  ///< bytes from one element to the next
  bool typed = false;
  Typed how;  ///< where typed

  static Elements bytes() { return {}; }
  static Elements of(const Typed& how, bool typed) { return {how.info.extent, typed, how}; }

  /// Bytes that `count` elements touch: [lower, lower + bytes) from their start; lower is a multiple of 64.
  struct Footprint {
    std::int64_t lower = 0, bytes = 0;
  };
  Footprint footprint(std::int64_t count) const {
    if (count <= 0) return {};
    if (!typed) return {0, count * unit};
    const std::int64_t last = (count - 1) * unit, from = how.info.true_lower;
    const std::int64_t lower = (from + std::min<std::int64_t>(last, 0)) & ~std::int64_t{63};
    return {lower, from + how.info.true_extent + std::max<std::int64_t>(last, 0) - lower};
  }

  void copy(const std::byte* from, std::int64_t count, std::byte* into) const {
    if (typed) return mpi::copy(how, from, count, into);
    if (count > 0 && from != into) std::memcpy(into, from, static_cast<std::size_t>(count * unit));
  }

  /// Elements that one message carries at most.  The same on both sides: in bytes where a byte is a byte everywhere, in
  /// elements where a type's size is the rank's own affair.
  std::int64_t most() const { return typed ? std::int64_t{1} << 30 : (std::int64_t{1} << 30) / unit; }
  MPI_Datatype message_type() const { return typed ? how.type : MPI_BYTE; }
  int message_count(std::int64_t count) const { return static_cast<int>(typed ? count : count * unit); }
};

}  // namespace tutti::mpi

#pragma once
/// Variants of the node engine's collectives.  `variants.hpp` has their table.
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tutti::shm {

enum class Variant : std::uint8_t {
  any,  ///< none in particular: nothing is asked for, or each block takes its own way
  slots,
  line,
  striped,
  tree,
  one_copy,
  clock,
  rings,
  chain,
  packed,
  blocks,
  elements,
};

/// How a call's data moves, as rules say it.  The same on all members.
struct Borders {
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
  /// Bytes of a block that its reader copies from the owner's memory, where members have agreed that they can; of a
  /// reduction where they are two.
  std::size_t single_copy = never;
  /// Bytes of a block whose writer chooses between one copy and two (copy_choice.hpp).  A bcast, an allgather and a
  /// reduction of more than two members, whose two copies all readers share, do without.
  std::size_t by_clock = never;
  /// The variant that a rule or a user names.  The numbers above agree with it (`asking`).
  Variant asked = Variant::any;
  /// What `settle` gives for the call, where that has been asked before: `any` makes the call ask.
  Variant settled = Variant::any;
};

/// Borders that ask for a variant; the clock is asked for blocks of `clock_from` bytes on.
constexpr Borders asking(Variant variant, std::size_t clock_from = 1) {
  Borders borders;
  borders.asked = variant;
  if (variant == Variant::one_copy) borders.single_copy = 1;
  if (variant == Variant::clock) borders.by_clock = clock_from;
  return borders;
}

}  // namespace tutti::shm

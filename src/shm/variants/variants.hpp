#pragma once
/// The node engine's variants as data: one table with the requirements, the default conditions and the cost of each;
/// and `settle`, the one function that selects a variant for a call.
///
/// All members must select the same variant.  So `settle` is a pure function of what all of them know: the collective,
/// its bytes, the group's layout, and the borders of the rule that serves the call.
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "core/collective.hpp"
#include "shm/variants/variant.hpp"

namespace tutti::shm {

/// What drives the pick, of a call.
struct VariantCall {
  static constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();
  Collective collective;
  /// Of a vector; of a block where all are equal; of the longest block of an allgatherv; of all blocks of a
  /// reduce_scatter together.  `unknown`: each pair of members knows the bytes of its own blocks alone.
  std::size_t bytes = 0;
  std::size_t unit = 1;     ///< bytes of an element, of reductions
  std::size_t longest = 0;  ///< bytes of the longest block of a reduce_scatter
};

/// What drives the pick, of a group.
struct VariantLayout {
  int members = 1;
  bool oversubscribed = false;  ///< more members than CPUs
  bool domains = false;         ///< several, which members follow
  bool single_copy = false;     ///< every member may read every other's memory
  std::size_t slot = 0;         ///< bytes that a slot holds
  /// A reduction's work is shared where that spares each member the combining of so many bytes.
  std::size_t stripe_from = 0;
  std::size_t rooted_from = 0;  ///< bytes from which on ranks that only contribute to a reduce may have to wait
  /// Bytes from which on scans of three and more members go through them.
  std::size_t chain_from = 0;
};

/// A group with a CPU for each member, as long slots as memory ever allows, and memory that may be read: what `tutti
/// explain` assumes.
VariantLayout usual_layout(int members, bool domains);

/// Whether a call can be made in halves: each member posts all that others wait for in one turn, or in the first turns
/// of a call, before it waits for them.
bool has_halves(const VariantCall& call, const VariantLayout& layout, const Borders& borders);

/// Where a variant is possible at all.
struct VariantLimits {
  /// What must fit a slot: nothing; an element; all data of the call; every member's data together; a piece of each
  /// block that travels in one turn.
  enum class Room : std::uint8_t { any, element, call, row, piece };
  Room room = Room::any;
  int least_members = 1, most_members = std::numeric_limits<int>::max();
  std::size_t least_bytes = 0, most_bytes = VariantCall::unknown;
  bool domains = false, single_copy = false;
};

/// When a possible variant is selected by default.
enum class Unasked : std::uint8_t {
  always,
  never,
  by_size,   ///< single_copy
  by_clock,  ///< and of bcast and allgather of two members alone
  shared,    ///< where it spares each member the combining of stripe_from bytes
  chained,   ///< from chain_from on
};

/// A variant of some collectives.
struct VariantRow {
  Variant variant;
  std::string_view name;
  std::uint32_t collectives;  ///< a bit each
  VariantLimits limits;
  Unasked unasked;
  std::string_view what;     ///< one line
  std::string_view cost;     ///< s: synchronisations; else as in the catalogue, β and γ of memory
  std::string_view when;     ///< taken unasked
  std::string_view because;  ///< the measurement or the count behind `when`

  constexpr bool serves(Collective which) const { return (collectives >> static_cast<unsigned>(which) & 1) != 0; }
};

/// Of each collective the rows stand in the order in which they are asked: the first that is possible and preferred
/// serves.  The last one of each that is preferred always is always possible.
std::span<const VariantRow> variants();
/// The part of the table from the collective's first row to its last; some in between may not serve it.
std::span<const VariantRow> variants_about(Collective collective);
/// The row of that collective, or null.
const VariantRow* find_variant(Collective collective, Variant variant);
const VariantRow* find_variant(Collective collective, std::string_view name);
/// "striped"; empty of `any`.
std::string_view name_of(Variant variant);
/// What it asks of a call, in words: "two ranks, memory that ranks can read".  Empty: nothing.
std::string needs(const VariantLimits& limits);

/// Why the variant cannot run the call; empty if it can.
std::string_view obstacle(const VariantRow& row, const VariantCall& call, const VariantLayout& layout,
                          const Borders& borders);

/// The variant of the call: the requested one if it is possible, else the first that is possible and preferred.  `any`
/// if blocks of unknown length use different ones.
Variant settle(const VariantCall& call, const VariantLayout& layout, const Borders& borders);

}  // namespace tutti::shm

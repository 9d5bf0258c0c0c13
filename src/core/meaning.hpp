#pragma once
/// What the collectives mean: who holds what before the first step (schedule.hpp), and after the last.
#include <cstdint>
#include <optional>
#include <string>

#include "core/expressions.hpp"
#include "core/problem.hpp"

namespace tutti {

/// A cell's value: contributions to one element of one owner's block.
struct Value {
  int owner = -1;  ///< negative: never written
  std::int64_t element = 0;
  Expression ranks = -1;

  bool written() const { return owner >= 0; }
  bool operator==(const Value&) const = default;
};

/// The owner whose output block holds the rank's own data before the first step, or -1.
int held_before(const Problem& problem, Rank me);

/// What an owner's block in the output must hold after the last step.
struct Outcome {
  int owner;        ///< elements of this owner's data ...
  Rank first, end;  ///< ... with exactly the contributions of these ranks
};
/// Nothing where the block may hold anything (a reduce's accumulators).  The block must exist on that rank.
std::optional<Outcome> held_after(const Problem& problem, Rank me, int owner);

}  // namespace tutti

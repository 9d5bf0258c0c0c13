#pragma once
/// What the collectives mean: who holds what before the first step (contract.hpp), and after the last.
#include <cstdint>
#include <optional>

#include "analysis/problem.hpp"

namespace tutti {

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

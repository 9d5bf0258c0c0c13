#pragma once
/// A problem: one call on all ranks, with concrete block sizes, for interpreters that run all ranks.
#include <cstdint>
#include <vector>

#include "core/contract.hpp"
#include "core/layout.hpp"
#include "core/schedule.hpp"

namespace tutti {

struct Problem {
  Collective collective = Collective::barrier;
  int size = 1;
  Rank root = 0;
  Parameters parameters{};
  /// Elements.  One number: the vector, or every block.  p numbers: by owner.  p*p numbers: alltoall, a row a source.
  std::vector<std::int64_t> counts{1};
  bool ordered = true;      ///< reductions: operands must be combined in rank order
  bool one_ported = false;  ///< a rank may send one message, and receive one, in a marked round

  Context context(Rank me) const { return {me, size, root, parameters}; }
  /// Elements of the owner's block in `me`'s input, and in its output; they differ in alltoall only.
  std::int64_t input_elements(Rank me, int owner) const;
  std::int64_t output_elements(Rank me, int owner) const;
};

}  // namespace tutti

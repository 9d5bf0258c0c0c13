#pragma once
/// What there is to prove of the catalogue: calls on all ranks, each with concrete block sizes.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/catalogue.hpp"
#include "analysis/fault.hpp"
#include "analysis/problem.hpp"

namespace tutti {

/// One algorithm at one p, root, parameters and layout.
struct Subject {
  const Algorithm* algorithm = nullptr;
  int size = 1;
  Rank root = 0;
  Parameters parameters{};
  std::vector<std::int64_t> counts;  ///< as in Problem

  Problem problem() const;
};

/// `allreduce ring, 5 ranks, root 0, count 7`.
std::string to_text(const Subject& subject);

/// How many subjects stand for an algorithm at one p.
struct Thoroughness {
  int all_roots_to = 9;      ///< all roots up to this p; beyond it, roots 0, 1, one in between and p-1
  int all_values_to = 33;    ///< more parameter values and layouts up to this p
  bool large_blocks = true;  ///< blocks of v-forms may have millions of elements
};

/// The subjects that stand for the algorithm at that p: roots, parameter values, and layouts.
///
/// In some layouts every block and every part of it has elements.  What is right there is right in all layouts in which
/// sizes agree that agree there (docs/schedules.md), so these are made to differ: blocks of a v-form have sizes drawn
/// by lot from a wide range, and the parts of a vector that have one element more end at different ones.  Other layouts
/// tell whether nothing goes wrong where blocks or parts are empty.
std::vector<Subject> subjects_of(const Algorithm& algorithm, int size, const Thoroughness& thoroughness = {});

/// Verifies the subject as what its algorithm claims to be.
std::optional<Fault> verify(const Subject& subject);

}  // namespace tutti

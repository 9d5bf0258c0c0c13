#pragma once
/// An executor that is as unkind as the order rule allows: the verifier's argument, tried.
///
/// It carries out all ranks' steps on real values, each step taking time: started and ended at moments drawn by lot,
/// with any window, with sends that end before or after they are received, and with ranks that arrive when they like.
/// A step that receives from any of a set gets one of the messages under way, drawn by lot.
/// What a step writes is unusable from its start to its end; what it reads must not change meanwhile.
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/bound_programs.hpp"

namespace tutti::faults {

/// A message, and what it brought: contributions in the order in which they were combined, an element each.
struct Brought {
  Rank from, to;
  std::vector<std::vector<std::uint64_t>> values;
  auto operator<=>(const Brought&) const = default;
};

struct Result {
  std::string wrong;              ///< what went wrong; empty where all ranks ended with what the collective says
  std::vector<Brought> messages;  ///< in the order in which they began to be sent
};

/// Carries the programs out as the seed draws it.
Result run(const Problem& problem, const std::vector<BoundProgram>& ranks, std::uint32_t seed);

}  // namespace tutti::faults

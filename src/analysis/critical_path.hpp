#pragma once
/// Longest paths through the steps of all ranks: what counting and drawing start from.
#include <functional>
#include <vector>

#include "analysis/bound_programs.hpp"
#include "analysis/count.hpp"

namespace tutti {

/// Where a step begins and ends, each coordinate being the longest path by itself.  `messages` counts those of which
/// each waits for what the one before has brought, and not for its turn at a port.
struct Span {
  Cost begin, end;
};

/// The later of two points, coordinate by coordinate.
Cost later_of(const Cost& a, const Cost& b);

/// Called for each step after all that it waits for; for a message once, with the step that sends.
using Arrival = std::function<void(Rank rank, int step, const Span& span)>;

/// A step waits for the steps it conflicts with and, where it is a message or a reduction, for its turn: a rank sends
/// `ports` messages, receives as many and combines one run of elements at a time, in the order of its program.  A
/// message begins when both its ends may.
///
/// Messages inside a node, of `per_node` neighbouring ranks, are not counted in `messages`.
///
/// Messages of a set are met in the order in which the set names its peers: one of the orders in which they may come.
///
/// Throws std::logic_error where the steps wait for each other.
void walk(const std::vector<BoundProgram>& ranks, int ports, const Arrival& arrival, int per_node = 1);

}  // namespace tutti

#pragma once
/// One way to cut blocks.
#include <vector>

#include "analysis/bound_programs.hpp"

namespace tutti {

/// Throws Refuted where a rank cuts blocks into parts, but not into as many by one step as by another, with no fence
/// between: whether parts of different cuts overlap depends on the number of elements, and so would the order of steps.
/// Also where the two ends of a message do.
void check_one_cut(const std::vector<BoundProgram>& ranks);

}  // namespace tutti

#pragma once
/// The claim that one port is enough.
#include <vector>

#include "analysis/bound_programs.hpp"

namespace tutti {

/// Throws Refuted where a rank sends, or receives, more than one message in a marked round.
void check_one_ported(const std::vector<BoundProgram>& ranks);

}  // namespace tutti

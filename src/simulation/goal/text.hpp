#pragma once
/// GOAL's text form:
///
///   num_ranks 2
///   rank 0 {
///   l1: calc 1000                    // nanoseconds
///   l2: send 8b to 1 tag 3 cpu 0 nic 0
///   l2 requires l1                   // begins after its end; irequires: after its begin
///   }
///   rank 1 {
///   l1: recv 8b from 0 tag 3         // -1: from any rank, of any tag
///   }
///
/// Comments are // to the end of the line and /* ... */.  Labels are letters, digits and _, and may be left out.  What
/// is written names the operations l1, l2, ..., each before what it requires.
#include <string>

#include "simulation/goal/program.hpp"

namespace tutti::simulation {

/// Throws GoalError, which names the line.
std::vector<Program> read_text_goal(std::string_view file);

std::string text_heading(int ranks);
std::string text_of(const Program& program, Rank rank);

}  // namespace tutti::simulation

#pragma once
/// Sets of peers whose messages are received in the order in which they arrive: who belongs to them, and that every
/// message meets a step that has room for it, whichever.
#include <vector>

#include "analysis/bound_programs.hpp"

namespace tutti {

/// Takes a declaration, the step `number` of rank `me`, down.  Throws Misuse.
void declare(const Peers& step, Rank me, int ranks, int number, std::vector<BoundSet>& sets);

/// Finds the sends of all sets.  Throws Refuted where a message names no set of its receiver's, or one that its sender
/// does not belong to; where a member sends none, or two; where a set has more or fewer steps that receive than
/// members; or where a message differs in size from what any of these steps makes room for.
void match_sets(std::vector<BoundProgram>& all);

}  // namespace tutti

#pragma once
/// A reduce-scatter that works in place made the collective, whose input may not be written and whose output holds one
/// block.
#include "core/schedule.hpp"

namespace tutti {

/// `in_place` takes `output` for the row of all owners' blocks, each holding this rank's contribution at first, and
/// leaves the own one reduced.  It names whole blocks, and does not read again where a message arrived after that has
/// been combined.
///
/// No contribution is copied unless it has to be: blocks that nothing was added to are sent from the input, and what
/// arrives for such a block arrives in its accumulator, where the input is added to it.  Accumulators are scratch, from
/// the first block that needs one to the last.  O(steps) of memory.
Schedule from_input(Context context, Schedule in_place);

}  // namespace tutti

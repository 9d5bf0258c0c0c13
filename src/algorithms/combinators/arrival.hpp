#pragma once
/// Tolerance of ranks that come late: receiving from whoever comes first.
#include "core/schedule.hpp"

namespace tutti {

/// The same messages, those of each rank received in the order in which they arrive: nobody waits for a late rank while
/// another one's message is there.  All ranks' messages are in their receivers' set 0.
///
/// Right where no rank gets two messages from one, and what it makes of all messages together does not depend on their
/// order: where the operands of a commutative operator climb a tree.  Operands then meet in another order at every
/// call, so that the bits of a rounded sum may differ from run to run.  Needs the whole program of this rank at once,
/// O(steps) of memory.
Schedule in_arrival_order(Schedule inner);

}  // namespace tutti

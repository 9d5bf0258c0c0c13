#pragma once
/// A rank whose launcher has died ends by itself.

namespace tutti::bench {

/// From now on the kernel signals this process when its parent (the launcher, or its proxy on this node) dies, and it
/// exits then, wherever it waits.  Costs nothing until that happens: no thread, no timer.
void end_with_parent();

/// Status of a process that ended so: as a shell has it of one that was hung up.
inline constexpr int orphaned = 129;

}  // namespace tutti::bench

#pragma once
/// Schedules on runs of owners instead of single ones.
#include <vector>

#include "core/schedule.hpp"

namespace tutti {

/// The same steps, owner i standing for the run of owners from starts[i] to starts[i + 1].  Parts of an owner become
/// shares of its run, in whole blocks; where a run is one owner, they stay its parts.
///
/// The runs make up the row of all owners, or a part of it.  In a part, a scratch area that begins with another owner
/// than the first (Area::rotate) needs blocks of one size.
Schedule on_runs(Schedule inner, std::vector<int> starts);

}  // namespace tutti

#pragma once
/// Freedom from deadlock.
#include <vector>

#include "core/ensemble.hpp"

namespace tutti {

/// Runs all ranks under the executor that waits most: a send ends only when it has been received; a step starts only
/// when every earlier step that conflicts with it has ended, and every earlier message to (or from) the same peer has
/// started; and nothing starts beyond the marked round of the oldest step that has not ended.
///
/// An executor that waits less gets as far: each of these conditions, once it holds, holds for ever, so that more
/// freedom starts steps earlier and hinders none.  So this run ends if and only if all do.
///
/// Throws Refuted where it comes to rest before the end.
void check_progress(const std::vector<BoundProgram>& ranks);

}  // namespace tutti

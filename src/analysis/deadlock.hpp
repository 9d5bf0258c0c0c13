#pragma once
/// Freedom from deadlock, and one order in which all steps can run.
#include <functional>
#include <vector>

#include "analysis/bound_programs.hpp"

namespace tutti {

/// Called when a step ends; for a message once, with the step that sends, but with the one that receives in a set.
using Ended = std::function<void(Rank rank, int step)>;

/// Runs all ranks under the executor that waits most: a send ends only when it has been received; a step starts only
/// when every earlier step that conflicts with it has ended, and every earlier message to (or from) the same peer has
/// started; and nothing starts beyond the marked round of the oldest step that has not ended, nor `least_window` steps
/// or more after it.
///
/// No step of a set ends before all its messages have begun to be sent, and no send of a set ends before all its
/// receives have ended.  So the order of arrival does not matter: when all messages of a set are in flight, a receiving
/// step gets one of them, because the others take no more than one each; and when all its receives have ended, so have
/// its sends.
///
/// An executor that waits less gets as far: each of these conditions, once it holds, holds for ever, so that more
/// freedom starts steps earlier and delays none.  So this run ends if and only if all do.
///
/// Throws Refuted on a deadlock.
void run_to_the_end(const std::vector<BoundProgram>& ranks, const Ended& ended);

}  // namespace tutti

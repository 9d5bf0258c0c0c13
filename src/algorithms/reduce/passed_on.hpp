#pragma once
/// Reductions that end at a rank of their own.
#include "core/schedule.hpp"

namespace tutti {

/// The schedule of a reduction to rank `at`, which then passes the result on to the root: where that is another rank,
/// alpha + m beta more.  So a tree that keeps rank order at one root keeps it at all.
Schedule passed_on(Context context, Rank at, Schedule reduction);

}  // namespace tutti

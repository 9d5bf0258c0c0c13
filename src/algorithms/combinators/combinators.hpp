#pragma once
/// Making schedules from schedules.
#include <functional>

#include "core/schedule.hpp"

namespace tutti {

/// All steps of the one, then all of the other, whose scratch slots are numbered after those of the first.
Schedule then(Schedule first, Schedule second);

/// The same steps among other ranks: peer i is the rank `rank_of(i)`.
Schedule on_ranks(Schedule inner, std::function<Rank(int)> rank_of);

/// The same steps on one vector: owner i of `size` becomes part i of `size` of it.
Schedule on_parts(Schedule inner, int size);

/// The same steps with scratch slots from `first` on.
Schedule with_slots_from(int first, Schedule inner);

/// The v-form of a gather or scatter: a message tells the sizes of its blocks where its receiver cannot know them, not
/// being the root nor the owner of all.  Scratch is learned.  `inner` names whole blocks.  It costs 8 bytes an owner
/// and no further message, which Thakur & Gropp 2002, 4.1, leave open.
Schedule sized(Context context, Schedule inner);

/// An allreduce for powers of two, carried to any number of ranks by the fold of neighbours (patterns/fold.hpp); order
/// is kept where `inner` keeps it.  Where p is no power of two it costs 2(alpha + m beta) + m gamma more.
Schedule folded(Context context, Schedule (*inner)(Context));

}  // namespace tutti

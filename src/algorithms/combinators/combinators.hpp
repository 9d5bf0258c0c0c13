#pragma once
/// Making schedules from schedules.
#include <functional>

#include "core/schedule.hpp"
#include "patterns/fold.hpp"

namespace tutti {

/// All steps of the one, then all of the other, whose scratch slots are numbered after those of the first.  Sets of
/// peers keep their numbers, which other ranks use: the two have none in common.
Schedule then(Schedule first, Schedule second);

/// The same steps among other ranks: peer i is the rank `rank_of(i)`.
Schedule on_ranks(Schedule inner, std::function<Rank(int)> rank_of);

/// The same steps on one vector: owner i of `size` becomes part i of `size` of it.
Schedule on_parts(Schedule inner, int size);

/// The same steps on the row of the blocks of all `size` owners, as if that were one vector, cut between blocks only.
Schedule on_row(Schedule inner, int size);

/// The same steps on one side: `output` stands for `input` as well.
Schedule in_place(Schedule inner);

/// The same steps with scratch slots from `first` on.
Schedule with_slots_from(int first, Schedule inner);

/// The v-form of a gather or scatter: a message tells the sizes of its blocks where its receiver cannot know them, not
/// being the root nor the owner of all.  Scratch is learned.  `inner` names whole blocks.  It costs 8 bytes an owner
/// and no further message, which Thakur & Gropp 2002, 4.1, leave open.
Schedule sized(Context context, Schedule inner);

/// Idle ranks hand their vectors over to their carriers, which combine them in rank order.
Schedule handed_over(Context context, Fold fold);

/// An allreduce among the carriers of a fold, made one among all ranks: idle ranks hand over their vectors and take the
/// result back.  Order is kept where `inner` keeps it.  For groups of k ranks it costs (k-1)(2 alpha + 2 m beta +
/// m gamma) more; nothing, where nobody is idle.
Schedule folded(Context context, Fold fold, Schedule (*inner)(Context));
/// To a power of two.
inline Schedule folded(Context context, Schedule (*inner)(Context)) { return folded(context, {context.size}, inner); }

/// The same steps among the carriers of a fold: peer and owner i are the carrier of group i, and the blocks of all its
/// ranks.
Schedule on_groups(Schedule inner, Fold fold);

/// What `folded` does, for an allgather that keeps no scratch: the block of a carrier stands for those of its group.
/// For groups of k ranks it costs (k-1)(2 alpha + m beta) more.  Every block still comes to every rank once.
Schedule folded_blocks(Context context, Fold fold, Schedule (*inner)(Context));

}  // namespace tutti

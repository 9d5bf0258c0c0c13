#pragma once
/// Running schedules backwards: the dual of a collective, written once.  Both need the whole program of this rank at
/// once, O(steps) of memory.
///
/// The dual is right where the forward schedule delivers every block to every rank exactly once (a tree does; a scatter
/// that leaves parts behind which an allgather brings again does not): otherwise a contribution is lost or counts
/// twice.
#include "core/schedule.hpp"

namespace tutti {

/// Every message goes the other way, the last one first: a scatter becomes a gather.  `input` and `output` change
/// places.  Forward, nothing may be reduced.
Schedule reversed(Schedule forward);

/// As above, in place: what arrives is combined with what is there, a bcast becomes a reduce and an allgather a
/// reduce-scatter.  Operands keep rank order where what a message brings, backwards, are always the ranks next to those
/// that its receiver has combined so far.  At most `ahead` messages arrive before they are combined, each in scratch of
/// its own: with two, wire and reduction overlap.  Forward, data lies in `output` alone and is only sent and received;
/// `me` is this rank in the numbering of the schedule's peers.
Schedule reversed_reducing(Rank me, Schedule forward, int ahead = 2);

}  // namespace tutti

#pragma once
/// When each rank of a collective can leave it at the earliest, if ranks come at different times; and what of a
/// measured wait was avoidable.  Scalasca's words for such waits: early reduce, late broadcast, wait at N x N.
#include <cstdint>
#include <span>
#include <vector>

#include "core/contract.hpp"

namespace tutti {

/// A call as its users know it; the blocks of v-forms are equal.
struct ExitCall {
  Collective which = Collective::barrier;
  int ranks = 1;
  Rank root = 0;
  std::int64_t elements = 0;  ///< the count: of the vector, or of one block; of reduce_scatter the whole vector
  int element = 1;            ///< bytes
  bool in_place = false;
};

/// Whose arrival `me` needs.  A rank that gets nothing (its block is empty) needs nobody's.
Awaited awaited(const ExitCall& call, Rank me);

/// Bytes that a rank has to move itself before it leaves.
///
/// - One that needs nobody puts away what it gives, for those who come later: its contribution (reduce, gather), the
///   vector (root of bcast), all blocks (root of scatter).
/// - One that needs others writes what it gets: the result, its block, or all blocks (root of gather; allgather).
///   The root of a reduce writes its result alone, although p contributions are read for it: all but the last one's can
///   be combined before the last rank comes, and combining that one with the rest takes no less time than a copy of the
///   result.  A bound that allowed for p contributions would hide waits that can be avoided.
///
/// A block that stays where it is (in place) is not moved.
std::int64_t own_bytes(const ExitCall& call, Rank me);

/// Ranks that share CPUs; what the machine forces on them is not avoidable.
struct Crowding {
  std::span<const int> hosts;  ///< of each rank a number of its node; empty: each rank has a CPU of its own
  int cpus = 1;                ///< of each node
  double switching = 0;        ///< a context switch
};

/// Each rank's earliest exit, in the unit of the arrivals; `copies`: what moving its own bytes costs a rank.
///
/// A rank is ready when all have come that it needs, and leaves after its copy.  On a node with more ranks than CPUs,
/// ranks that had to wait run one after another: in the order in which they are ready (of those ready together, shorter
/// copies first, for which the sum of the waits is least), each on the CPU that is free first, and after a context
/// switch where that CPU was at work when it became ready.  A rank that needs nobody is running when it comes.
std::vector<double> earliest_exits(const ExitCall& call, std::span<const double> arrivals,
                                   std::span<const double> copies, const Crowding& crowding = {});

/// Of all ranks together: how much later than at the earliest they left.
double avoidable_wait(std::span<const double> exits, std::span<const double> earliest);

/// How large an avoidable wait the clocks alone may make of none: `apart` is how far two ranks' clocks may be from each
/// other, which matters to each rank that needs another's arrival, and `reading` what reading a clock takes.
double avoidable_error(const ExitCall& call, double apart, double reading);

}  // namespace tutti

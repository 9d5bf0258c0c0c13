#pragma once
/// Lower bound on the time of a collective inside one node, to compare measurements with.
#include <cstdint>

#include "core/collective.hpp"

namespace tutti {

/// The least time of a call is that of these one after the other.
struct NodeBound {
  int flags = 0;            ///< one-way core-to-core latencies: a word written on one CPU and read on another
  int switches = 0;         ///< context switches on one CPU
  std::int64_t copied = 0;  ///< bytes that one rank reads from memory and writes to its own
  bool operator==(const NodeBound&) const = default;
};

/// For `ranks` on `cpus`, calls of `bytes` (as users know them; the blocks of v-forms are equal), no buffer in place.
///
/// Assumed: ranks enter together where each has a CPU of its own; a rank's result is written by itself; a combination
/// of two operands takes no less time than a copy (it reads one stream more); copies of several ranks do not disturb
/// each other.
///
/// - flags: nobody can return before the word of some other rank that the result depends on has reached it, and no
///   copying of what that rank has can begin before.  Two ranks that enter calls in turns cannot do better on average
///   by entering apart: each waits for the other once a call.  Only where every rank has a CPU.
/// - switches: with more ranks than CPUs, some CPU has q = ceil(ranks / cpus) ranks.  In a call that no rank leaves
///   before all have entered, each of the q runs; the last to enter goes on to the next call, so that q - 1 switches a
///   call remain.  Calls that some ranks may leave early (rooted ones, scans) need none: the root may run first, or
///   last.
/// - copied: the bytes that one rank must write, or its share where all ranks' work divided by the CPUs is more.  In an
///   allreduce p - 1 combinations of m bytes are spread over the ranks, and all but the one who finished a part copy
///   it: 2 (p-1) m in all.  Combinations that are made more than once save no more copies than they cost.
NodeBound node_bound(Collective which, int ranks, std::int64_t bytes, int cpus);

}  // namespace tutti

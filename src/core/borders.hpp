#pragma once
/// Thresholds that select a variant where no spec and no rule does, each with its measurement.  Times: two cores of a
/// mesh (Xeon), unless stated otherwise; docs/node-engine.md and docs/why.md have the tables.
///
/// Thresholds of rules are in profiles (default.toml).  Lengths of pieces, and the comparisons of learners
/// (TUTTI_LEARN), stay with their code: they tune one variant, and select none.
#include <cstddef>
#include <cstdint>

namespace tutti::borders {

// The node engine: one copy or two.

/// Bytes from which on copy=clock times copies.  What one turn of the slots carries, whose lines have been asked for
/// beforehand, goes through them in 0.7 to 1.0 of the time of one copy, whatever the caches hold; with 8 ranks on two
/// cores two copies of blocks below 24 KiB were always faster.
constexpr std::size_t clock_from(int ranks_on_a_node) { return ranks_on_a_node > 2 ? 24 * 1024 : 16 * 1024 + 1; }

/// A root's block of at most this fraction of a core's own cache is left to its reader: 128 KiB of a bcast take 4.9 us
/// instead of 7.1 with both sides copying.
inline constexpr std::size_t part_of_own_cache = 8;

// The node engine: who combines.

/// Bytes that a member combines in the time of one synchronisation: a reduction is striped where that saves more.
/// Measured on two cores: 0.4 us with a CPU for each member, else a context switch of 1.3 us for each member that
/// shares the CPU; about 20 bytes a nanosecond.
constexpr std::size_t worth_a_synchronisation(int members, int cpus) {
  constexpr std::size_t bytes_in_a_microsecond = 20'000;
  const auto size = static_cast<std::size_t>(members), shared = static_cast<std::size_t>(cpus);
  if (size <= shared) return bytes_in_a_microsecond * 4 / 10;
  return bytes_in_a_microsecond * 13 / 10 * size / (shared != 0 ? shared : 1);
}

/// Bytes below which a rank that only contributes to a reduction never waits for others, as with eager messages.
inline constexpr std::size_t waits_for_nobody = 64 * 1024;

/// Bytes from which on scans of three and more members are a chain.  With 4 to 16 members on 2 CPUs 1.1 to 1.2 times as
/// fast there as with each member combining all contributions itself, 1.7 to 1.9 times at 1 MiB.
inline constexpr std::size_t scan_chain_from = 64 * 1024;

// The node engine: flat, or along domains.

/// A member of a flat barrier fetches a line from each of the others; in a tree it fetches one from each member of its
/// domain or from each other domain, but in two or three turns.  From so many members on a tree is cheaper, by count:
/// 15 transfers of 0.1 to 0.2 us across domains against 2 more waits of at most 0.4 us.  Not measured: docs/why.md.
inline constexpr int domains_from = 16;
/// Members of a domain, on average: fewer spare too little of the traffic between domains.  Not measured.
inline constexpr int members_of_a_domain = 4;

// Between nodes.

/// Bytes of a node from which on several leaders bring blocks by the node engine's own calls, where the call's memory
/// has them in another order: to copy less takes no longer than a call does.
inline constexpr std::int64_t by_nodes_from = 16 * 1024;
/// Bytes of a reduce_scatter's block that a piece takes at least: shorter parts cost more calls, and more messages that
/// wait for a processor, than they hide.
inline constexpr std::int64_t reduce_scatter_piece = 32 * 1024;
/// Messages of a rank in flight at a time, in each direction, in a direct alltoall.  Few connections with much data
/// recover from a lost packet without a time-out; many with little data each do not.
inline constexpr int straight_messages = 2;

// Rules, and TUTTI_TUNE=online.

/// A profile's rules that were measured at another layout serve up to this factor between nodes, ranks a node or ranks:
/// beyond it another number of rounds by two is another machine.
inline constexpr double nearest_layout = 4;
/// From here on blocks may be copied once, and all ranks of a node may send.
inline constexpr std::int64_t tried_once_from = 1024, tried_senders_from = 64 * 1024;
/// In a node, calls below this are not tried over messages where memory can serve them: each of an algorithm's rounds
/// takes a message, which moves the same cache lines as a whole call in memory and more.
inline constexpr std::int64_t tried_messages_from = 8 * 1024;

}  // namespace tutti::borders

#pragma once
/// Where this process runs, in a form that the node's processes can compare.
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "selection/choice.hpp"

namespace tutti::runtime {

/// A number that is equal on two processes when they run on one kernel and see the same shared memory and the same
/// process numbers; positive.  Equal by chance or by a lie of the container: harmless, since whoever attaches to a
/// segment compares a nonce.
///
/// Why not MPI_Comm_split_type: it is collective over the communicator that is split, so a map of the world cannot be
/// made while a smaller communicator activates, and in the sessions model there is no world.  This costs no message of
/// its own where all ranks are on one node, and 8 bytes a rank elsewhere.
std::uint64_t node_identity();

/// Identity of this rank's pretended node (TUTTI_PRETEND_NODES); nothing without that setting or without a world.
std::string pretended_node();

/// The placement of ranks with these node identities.
Placement placement_of(std::span<const std::uint64_t> nodes);
/// Of so many ranks on one node with so many CPUs.
Placement on_one_node(int ranks, std::int64_t cpus);

/// Ranks of the job on this node as the launcher told it, or 1 where it did not.
int ranks_by_launcher();

/// One bit a CPU that this thread may run on.
using CpuMask = std::array<std::uint64_t, 64>;
CpuMask cpus_here();
/// CPUs of the mask, or fewer where the control group grants less time than that.
int cpus_in(const CpuMask& mask);
/// The same of all CPUs of this node.
int cpus_of_node();

}  // namespace tutti::runtime

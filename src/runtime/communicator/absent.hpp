#pragma once
/// Which ranks cannot join an agreement: processes of the job, on this node, without tutti.
#include <map>
#include <string>
#include <vector>

namespace tutti::runtime {

/// Reports on those of these ranks of MPI_COMM_WORLD whose processes are visible: "rank 3 (process 4711, ocean) does
/// not preload libtutti.so" or "... has TUTTI=off".  It reads what the kernel shows of processes that the same launcher
/// has started: their environment, with their rank, and their libraries.  Calls nothing of MPI; takes some
/// milliseconds.
std::map<int, std::string> ranks_without_tutti(const std::vector<int>& ranks);

}  // namespace tutti::runtime

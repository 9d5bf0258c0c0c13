#pragma once
/// Which ranks cannot come to an agreement: processes of the job, on this node, that tutti is not in.
#include <map>
#include <string>
#include <vector>

namespace tutti::runtime {

/// For those of these ranks of MPI_COMM_WORLD whose processes are seen and tell so: "rank 3 (process 4711, ocean) does
/// not preload libtutti.so" or "... has TUTTI=off".  By what the kernel shows of processes that the same launcher has
/// started: their environment, where launchers put their rank, and the libraries in them.  Calls nothing of MPI; takes
/// some milliseconds.
std::map<int, std::string> ranks_without_tutti(const std::vector<int>& ranks);

}  // namespace tutti::runtime

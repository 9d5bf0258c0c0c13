#pragma once
/// Calls that only look whether something has come: MPI_Iprobe, MPI_Improbe, MPI_Win_test.
///
/// Libraries look first and move what has come afterwards.  Their own collectives have moved it before: after a
/// barrier, one look finds what was sent before it (always on Open MPI), and programs rely on it.  A collective in
/// shared memory moves nothing.  So after one, a look that says no is taken again: what the first moved, the second
/// sees.  Of what a library moves in batches, each no but the last brings the next.
#include <vector>

#include "preload/loader/backend.h"

namespace tutti::preload {

void find_looks(const tutti_loader& loader);
void list_looks(std::vector<tutti_entry>& entries);

}  // namespace tutti::preload

#pragma once
/// Probe retry: calls that only test whether a message has arrived (MPI_Iprobe, MPI_Improbe, MPI_Win_test).
///
/// Libraries test first and make progress afterwards.  Their own collectives have made the progress before: after a
/// barrier one probe finds what was sent before it (always on Open MPI), and programs rely on it.  A collective in
/// shared memory makes no progress.  So after one, a probe that returns false is repeated: the first made the progress,
/// the second sees the message.  If a library delivers in batches, each false but the last brings the next batch.
#include <vector>

#include "preload/loader/backend.h"

namespace tutti::preload {

void find_looks(const tutti_loader& loader);
void list_looks(std::vector<tutti_entry>& entries);

}  // namespace tutti::preload

#pragma once
/// What stands before the MPI's functions that make, start, test, wait for and free requests.
#include <vector>

#include "preload/loader/backend.h"

namespace tutti::preload {

/// Nonblocking collectives and those that make persistent requests (generated).  What an MPI lacks is not listed; a
/// large-count form that it lacks is made of its int form, and listed as "native:MPI_IX_c" too.
void find_next_requests(const tutti_loader& loader);
void list_request_wrappers(std::vector<tutti_entry>& entries);

/// Functions that take requests.  While the program holds none of ours they are the MPI's own.
void find_completions(const tutti_loader& loader);
void list_completions(std::vector<tutti_entry>& entries);

}  // namespace tutti::preload

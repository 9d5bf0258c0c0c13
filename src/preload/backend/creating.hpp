#pragma once
/// Calls that make communicators: ranks hang in them as in other collectives, and what they make gets its identity here
/// (runtime/report/shown_communicator.hpp).  They are passed on as they are.
#include <vector>

#include "preload/loader/backend.h"

namespace tutti::preload {

void find_creating(const tutti_loader& loader);
void list_creating(std::vector<tutti_entry>& entries);

}  // namespace tutti::preload

#pragma once
/// From a handle of the MPI's to the request of ours that it stands for.
#include "runtime/requests/request.hpp"

namespace tutti::runtime::request_table {

void add(Request& request);
/// Of the handle that it was added with.
void remove(const Request& request);
/// Null for requests that are not ours.
Request* find(MPI_Request handle);

}  // namespace tutti::runtime::request_table

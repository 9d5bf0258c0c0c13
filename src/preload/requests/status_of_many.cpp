#include "preload/requests/status_of_many.hpp"

#include "runtime/platform/pmpi.hpp"

namespace tutti::preload {

using runtime::pmpi;

namespace {

MPI_Status* status_at(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
}

}  // namespace

int status_of_all(int count, const MPI_Request* requests, int* flag, MPI_Status* statuses) {
  *flag = 1;
  for (int i = 0; i < count && *flag != 0; ++i)
    if (const int code = pmpi.Request_get_status(requests[i], flag, status_at(statuses, i)); code != MPI_SUCCESS)
      return code;
  return MPI_SUCCESS;
}

int status_of_any(int count, const MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  bool active = false;
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    active = true;
    const int code = pmpi.Request_get_status(requests[i], flag, status);
    if (code == MPI_SUCCESS && *flag == 0) continue;
    *index = i;
    return code;
  }
  *index = MPI_UNDEFINED, *flag = 0;
  if (active) return MPI_SUCCESS;
  if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = MPI_SUCCESS;  // as in every empty status
  return pmpi.Request_get_status(MPI_REQUEST_NULL, flag, status);
}

int status_of_some(int count, const MPI_Request* requests, int* found, int* indices, MPI_Status* statuses) {
  bool active = false;
  *found = 0;
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    active = true;
    int flag = 0;
    const int code = pmpi.Request_get_status(requests[i], &flag, status_at(statuses, *found));
    if (code != MPI_SUCCESS) return code;
    if (flag != 0) indices[(*found)++] = i;
  }
  if (!active) *found = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

}  // namespace tutti::preload

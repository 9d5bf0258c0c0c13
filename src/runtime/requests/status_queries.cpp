/// Questions about several requests that complete none.
#include "runtime/requests/completion.hpp"
#include "runtime/requests/motion.hpp"
#include "runtime/requests/ours.hpp"

namespace tutti::runtime::completion {

int get_status_all(int count, const MPI_Request* requests, int* flag, MPI_Status* statuses, StatusAll next) {
  motion::move_if_any();
  const Ours ours(count, requests);
  if (!ours.all_done()) return *flag = 0, MPI_SUCCESS;
  return next(count, Others(ours, requests).data(), flag, statuses);
}

int get_status_any(int count, const MPI_Request* requests, int* index, int* flag, MPI_Status* status, StatusAny next) {
  motion::move_if_any();
  const Ours ours(count, requests);
  if (const int done = ours.done(); done >= 0) {
    *index = done, *flag = 1;
    return empty(status), MPI_SUCCESS;
  }
  const int code = next(count, Others(ours, requests).data(), index, flag, status);
  if (code == MPI_SUCCESS && *flag != 0 && *index == MPI_UNDEFINED && ours.any()) *flag = 0;
  return code;
}

int get_status_some(int count, const MPI_Request* requests, int* found, int* indices, MPI_Status* statuses,
                    StatusSome next) {
  motion::move_if_any();
  const Ours ours(count, requests);
  const int code = next(count, Others(ours, requests).data(), found, indices, statuses);
  if (!ours.any()) return code;
  if (*found == MPI_UNDEFINED) *found = 0;
  for (int i = ours.done(); i >= 0; i = ours.done(i + 1)) {
    empty(statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + *found);
    indices[(*found)++] = i;
  }
  return code;
}

}  // namespace tutti::runtime::completion

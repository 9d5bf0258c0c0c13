#include "runtime/requests/completion.hpp"

#include "runtime/platform/own_self.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/requests/motion.hpp"
#include "runtime/requests/ours.hpp"
#include "runtime/wire/mpi_progress.hpp"

namespace tutti::runtime::completion {
namespace {

/// Nothing of ours can make a wait for the MPI's own requests last.
bool native_alone(const Ours& ours) { return !ours.any() && motion::under_way.load(std::memory_order_relaxed) == 0; }

/// Tries `once` until it says so.
template <class Once>
int until(Once once) {
  int flag = 0;
  for (unsigned rounds = 0;; ++rounds) {
    const int code = once(&flag);
    if (flag != 0 || code != MPI_SUCCESS) return code;
    motion::rest(rounds);
  }
}

MPI_Status* status_of(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
}

/// Where all that is asked for is ours: the MPI's own messages move all the same.
void move_messages() { look_for_messages(quiet_comm(MPI_COMM_WORLD)); }

int not_yet(int* flag) {
  *flag = 0;
  move_messages();
  return MPI_SUCCESS;
}

/// Until nothing but requests of the MPI's is left to wait for, or all are complete.
void await_all(const Ours& ours, MPI_Request* requests) {
  for (int i = 0; i < ours.size(); ++i)
    if (ours[i]) motion::await(*ours[i]);
  for (int i = 0, flag = 0; i < ours.size(); ++i, flag = 0)
    for (unsigned rounds = 0; flag == 0 && !ours[i]; ++rounds) {
      if (motion::under_way.load(std::memory_order_relaxed) == 0) return;
      motion::move();
      if (pmpi.Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
      motion::rest(rounds);
    }
}

/// The errors of several completions, as the MPI tells them: the call says MPI_ERR_IN_STATUS, and each status which.
struct ErrorsOfMany {
  MPI_Status* statuses;
  int code;  ///< what the MPI has said of its own

  /// `error` belongs into status `at`; `written`: how many statuses there are so far.
  void add(int at, int written, int error) {
    if (error != MPI_SUCCESS && code == MPI_SUCCESS) {
      code = MPI_ERR_IN_STATUS;
      for (int i = 0; i < written; ++i) put(i, MPI_SUCCESS);
    }
    if (code != MPI_SUCCESS) put(at, error);
  }

 private:
  void put(int at, int error) {
    if (statuses != MPI_STATUSES_IGNORE) statuses[at].MPI_ERROR = error;
  }
};

/// Those of ours that are complete, after a call of the MPI's for the others, which has returned `code`.
int conclude_done(const Ours& ours, MPI_Request* requests, MPI_Status* statuses, int code) {
  ErrorsOfMany errors{statuses, code};
  for (int i = ours.done(); i >= 0; i = ours.done(i + 1)) errors.add(i, ours.size(), conclude(*ours[i], requests[i]));
  return errors.code;
}

}  // namespace

int wait(MPI_Request* request, MPI_Status* status) {
  if (Request* const own = ours(request)) {
    motion::await(*own);
    empty(status);
    return conclude(*own, *request);
  }
  if (motion::under_way.load(std::memory_order_relaxed) == 0) return pmpi.Wait(request, status);
  return until([&](int* flag) { return test(request, flag, status); });
}

int test(MPI_Request* request, int* flag, MPI_Status* status) {
  motion::move_if_any();
  Request* const own = ours(request);
  if (!own) return pmpi.Test(request, flag, status);
  if (!own->done()) return not_yet(flag);
  *flag = 1;
  empty(status);
  return conclude(*own, *request);
}

int waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  const Ours ours(count, requests);
  if (native_alone(ours)) return pmpi.Waitall(count, requests, statuses);
  await_all(ours, requests);
  const int code = pmpi.Waitall(count, Others(ours, requests).data(), statuses);
  return conclude_done(ours, requests, statuses, code);
}

int testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  motion::move_if_any();
  const Ours ours(count, requests);
  if (!ours.all_done()) return not_yet(flag);
  const int code = pmpi.Testall(count, Others(ours, requests).data(), flag, statuses);
  return *flag != 0 || code != MPI_SUCCESS ? conclude_done(ours, requests, statuses, code) : code;
}

int waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  if (native_alone(Ours(count, requests))) return pmpi.Waitany(count, requests, index, status);
  return until([&](int* flag) { return testany(count, requests, index, flag, status); });
}

int testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  motion::move_if_any();
  const Ours ours(count, requests);
  if (const int done = ours.done(); done >= 0) {
    *index = done, *flag = 1;
    empty(status);
    return conclude(*ours[done], requests[done]);
  }
  const int code = pmpi.Testany(count, Others(ours, requests).data(), index, flag, status);
  if (code == MPI_SUCCESS && *flag != 0 && *index == MPI_UNDEFINED && ours.any()) return not_yet(flag);
  return code;
}

int waitsome(int count, MPI_Request* requests, int* found, int* indices, MPI_Status* statuses) {
  if (native_alone(Ours(count, requests))) return pmpi.Waitsome(count, requests, found, indices, statuses);
  return until([&](int* flag) {
    const int code = testsome(count, requests, found, indices, statuses);
    *flag = *found != 0;
    return code;
  });
}

int testsome(int count, MPI_Request* requests, int* found, int* indices, MPI_Status* statuses) {
  motion::move_if_any();
  const Ours ours(count, requests);
  const int code = pmpi.Testsome(count, Others(ours, requests).data(), found, indices, statuses);
  if (!ours.any()) return code;
  if (*found == MPI_UNDEFINED) {  // none of the MPI's
    *found = 0;
    if (ours.done() < 0) move_messages();
  }
  ErrorsOfMany errors{statuses, code};
  for (int i = ours.done(); i >= 0; i = ours.done(i + 1)) {
    const int at = *found;
    indices[(*found)++] = i;
    empty(status_of(statuses, at));
    errors.add(at, at, conclude(*ours[i], requests[i]));
  }
  return errors.code;
}

int get_status(MPI_Request request, int* flag, MPI_Status* status) {
  motion::move_if_any();
  const Request* const own = ours(&request);
  return own && !own->done() ? not_yet(flag) : pmpi.Request_get_status(request, flag, status);
}

}  // namespace tutti::runtime::completion

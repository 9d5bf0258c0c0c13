#include <mpi.h>

#include "preload/requests/requests.hpp"
#include "preload/requests/status_of_many.hpp"
#include "preload/wrappers/wrappers.hpp"
#include "runtime/requests/completion.hpp"
#include "runtime/requests/motion.hpp"
#include "runtime/requests/native_requests.hpp"

namespace tutti::preload {
namespace {

namespace completion = runtime::completion;

// Functions, the names under which src/runtime/requests has them, their parameters and arguments, and the requests that
// they may end.
// clang-format off
#define TUTTI_COMPLETIONS(X)                                                                                           \
  X(Wait, wait, (MPI_Request* request, MPI_Status* status), (request, status), (1, request))                           \
  X(Test, test, (MPI_Request* request, int* flag, MPI_Status* status), (request, flag, status), (1, request))          \
  X(Waitall, waitall, (int count, MPI_Request* requests, MPI_Status* statuses), (count, requests, statuses),           \
    (count, requests))                                                                                                 \
  X(Testall, testall, (int count, MPI_Request* requests, int* flag, MPI_Status* statuses),                             \
    (count, requests, flag, statuses), (count, requests))                                                              \
  X(Waitany, waitany, (int count, MPI_Request* requests, int* index, MPI_Status* status),                              \
    (count, requests, index, status), (count, requests))                                                               \
  X(Testany, testany, (int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status),                   \
    (count, requests, index, flag, status), (count, requests))                                                         \
  X(Waitsome, waitsome, (int count, MPI_Request* requests, int* found, int* indices, MPI_Status* statuses),            \
    (count, requests, found, indices, statuses), (count, requests))                                                    \
  X(Testsome, testsome, (int count, MPI_Request* requests, int* found, int* indices, MPI_Status* statuses),            \
    (count, requests, found, indices, statuses), (count, requests))                                                    \
  X(Start, start, (MPI_Request* request), (request), (0, nullptr))                                                     \
  X(Startall, startall, (int count, MPI_Request* requests), (count, requests), (0, nullptr))                           \
  X(Request_free, request_free, (MPI_Request* request), (request), (1, request))                                       \
  X(Request_get_status, get_status, (MPI_Request request, int* flag, MPI_Status* status), (request, flag, status),     \
    (0, nullptr))                                                                                                      \
  X(Cancel, cancel, (MPI_Request* request), (request), (0, nullptr))
// clang-format on

#define TUTTI_COMPLETION(name, ours, parameters, arguments, ended)              \
  decltype(&MPI_##name) next_##ours = nullptr;                                  \
  int serve_##ours parameters {                                                 \
    if (!runtime::motion::any_held()) [[likely]]                                \
      return next_##ours arguments;                                             \
    const runtime::NativeCompletions native ended;                              \
    return native.alone() ? next_##ours arguments : completion::ours arguments; \
  }
TUTTI_COMPLETIONS(TUTTI_COMPLETION)
#undef TUTTI_COMPLETION

completion::StatusAll next_status_all = nullptr;
completion::StatusAny next_status_any = nullptr;
completion::StatusSome next_status_some = nullptr;

int status_all(int count, const MPI_Request* requests, int* flag, MPI_Status* statuses) {
  return completion::get_status_all(count, requests, flag, statuses, next_status_all);
}
int status_any(int count, const MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  return completion::get_status_any(count, requests, index, flag, status, next_status_any);
}
int status_some(int count, const MPI_Request* requests, int* found, int* indices, MPI_Status* statuses) {
  return completion::get_status_some(count, requests, found, indices, statuses, next_status_some);
}

}  // namespace

void find_completions(const tutti_loader& loader) {
#define TUTTI_COMPLETION(name, ours, parameters, arguments, ended) find(loader, "MPI_" #name, next_##ours, nullptr);
  TUTTI_COMPLETIONS(TUTTI_COMPLETION)
#undef TUTTI_COMPLETION
  find(loader, "MPI_Request_get_status_all", next_status_all, status_of_all);
  find(loader, "MPI_Request_get_status_any", next_status_any, status_of_any);
  find(loader, "MPI_Request_get_status_some", next_status_some, status_of_some);
}

void list_completions(std::vector<tutti_entry>& entries) {
#define TUTTI_COMPLETION(name, ours, parameters, arguments, ended) \
  if (next_##ours) list(entries, "MPI_" #name, serve_##ours);
  TUTTI_COMPLETIONS(TUTTI_COMPLETION)
#undef TUTTI_COMPLETION
  list(entries, "MPI_Request_get_status_all", status_all);
  list(entries, "native:MPI_Request_get_status_all", status_of_all);
  list(entries, "MPI_Request_get_status_any", status_any);
  list(entries, "native:MPI_Request_get_status_any", status_of_any);
  list(entries, "MPI_Request_get_status_some", status_some);
  list(entries, "native:MPI_Request_get_status_some", status_of_some);
}

}  // namespace tutti::preload

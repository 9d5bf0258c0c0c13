/// Starts, frees and cancels.
#include "runtime/platform/pmpi.hpp"
#include "runtime/requests/completion.hpp"
#include "runtime/requests/motion.hpp"
#include "runtime/requests/ours.hpp"
#include "runtime/requests/request_table.hpp"

namespace tutti::runtime::completion {
namespace {

/// One of ours that the program has, active or not.
Request* persistent_or_active(const MPI_Request* request) {
  Request* const found = request != nullptr ? request_table::find(*request) : nullptr;
  return found && (found->persistent || found->active()) ? found : nullptr;
}

int refuse(const Request& request) {
  if (const MPI_Comm comm = request.channel->comm(); comm != MPI_COMM_NULL)
    pmpi.Comm_call_errhandler(comm, MPI_ERR_REQUEST);
  return MPI_ERR_REQUEST;
}

}  // namespace

int start(MPI_Request* request) {
  Request* const own = persistent_or_active(request);
  if (!own) return pmpi.Start(request);
  if (!own->persistent || own->active()) return refuse(*own);
  const motion::Lock lock;
  motion::start(*own);
  return MPI_SUCCESS;
}

int startall(int count, MPI_Request* requests) {
  bool any = false;
  for (int i = 0; i < count; ++i) any = any || persistent_or_active(requests + i);
  if (!any) return pmpi.Startall(count, requests);
  for (int i = 0; i < count; ++i)
    if (const int code = start(requests + i); code != MPI_SUCCESS) return code;
  return MPI_SUCCESS;
}

/// One that is under way is given back once it has ended.
int request_free(MPI_Request* request) {
  Request* const own = persistent_or_active(request);
  if (!own) return pmpi.Request_free(request);
  *request = MPI_REQUEST_NULL;
  const motion::Lock lock;
  motion::hold(-1);
  if (own->active() && !own->done())
    own->freed = true;
  else
    own->channel->give_back(*own);
  return MPI_SUCCESS;
}

int cancel(MPI_Request* request) {
  const Request* const own = persistent_or_active(request);
  return own ? refuse(*own) : pmpi.Cancel(request);
}

}  // namespace tutti::runtime::completion

#include "runtime/requests/ours.hpp"

#include "runtime/platform/pmpi.hpp"
#include "runtime/requests/motion.hpp"
#include "runtime/requests/request_table.hpp"

namespace tutti::runtime {

Request* ours(const MPI_Request* request) {
  Request* const found = request != nullptr ? request_table::find(*request) : nullptr;
  return found != nullptr && found->active() ? found : nullptr;
}

Ours::Ours(int count, const MPI_Request* requests) : count_(requests != nullptr && count > 0 ? count : 0) {
  if (count_ > few) more_ = std::make_unique<Request*[]>(static_cast<std::size_t>(count_));
  found_ = more_ ? more_.get() : room_.data();
  for (int i = 0; i < count_; ++i) {
    found_[i] = ours(requests + i);
    any_ = any_ || found_[i] != nullptr;
  }
}

bool Ours::all_done() const {
  for (int i = 0; i < count_; ++i)
    if (found_[i] && !found_[i]->done()) return false;
  return true;
}

int Ours::done(int from) const {
  for (int i = from; i < count_; ++i)
    if (found_[i] && found_[i]->done()) return i;
  return -1;
}

Others::Others(const Ours& ours, MPI_Request* requests) : ours_(ours), requests_(requests) {
  if (!ours.any()) return;
  copied_ = std::make_unique<MPI_Request[]>(static_cast<std::size_t>(ours.size()));
  for (int i = 0; i < ours.size(); ++i) copied_[i] = ours[i] ? MPI_REQUEST_NULL : requests[i];
}

Others::Others(const Ours& ours, const MPI_Request* requests) : Others(ours, const_cast<MPI_Request*>(requests)) {
  constant_ = true;
}

Others::~Others() {
  for (int i = 0; copied_ && !constant_ && i < ours_.size(); ++i)
    if (!ours_[i]) requests_[i] = copied_[i];
}

int conclude(Request& request, MPI_Request& handle) {
  const int code = request.code;
  const MPI_Comm comm = request.channel->comm();
  if (request.persistent) {
    request.state.store(Request::State::inactive, std::memory_order_relaxed);
  } else {
    handle = MPI_REQUEST_NULL;
    const motion::Lock lock;
    motion::hold(-1);
    request.channel->give_back(request);
  }
  if (code != MPI_SUCCESS && comm != MPI_COMM_NULL) [[unlikely]]
    pmpi.Comm_call_errhandler(comm, code);
  return code;
}

void empty(MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE) return;
  MPI_Request none = MPI_REQUEST_NULL;
  int flag = 0;
  const int error = status->MPI_ERROR;
  pmpi.Test(&none, &flag, status);
  status->MPI_ERROR = error;
}

}  // namespace tutti::runtime

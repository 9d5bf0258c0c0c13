#include "preload/large_count/int_request.hpp"

#include <mutex>
#include <set>

#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::preload {
namespace {

using runtime::Operation;
using runtime::Side;

/// A copy that lives for ever, the same one for equal arrays.
const int* kept(const int* array, int length) {
  if (array == nullptr || length == 0) return nullptr;
  static auto& all = *new std::set<std::vector<int>>;  // outlives every static object
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  return all.emplace(array, array + length).first->data();
}

IntRequest::Arguments arguments(const Side& side, int owners, const MPI_Datatype* types) {
  return {static_cast<int>(side.count), kept(side.counts.ints(), owners), kept(side.displacements.ints(), owners),
          side.type, types};
}

}  // namespace

IntRequest::IntRequest(const Operation& call) {
  if (reduces(call.collective)) {
    reduction(call);
    return;
  }
  const CallGroup group(call.comm);
  sides_.emplace(call, group);
  possible_ = sides_->possible() && !sides_->sending().own_peers() && !sides_->receiving().own_peers();
  if (!possible_) return;
  // Types of one rank each are the program's own array, which lives as long as the request.
  send_ = arguments(sides_->send(), sides_->sending().owners(), call.send.types);
  receive_ = arguments(sides_->receive(), sides_->receiving().owners(), call.receive.types);
}

void IntRequest::reduction(const Operation& call) {
  Side side = call.receive;
  std::vector<int> counts;
  int size = 0;  // between two groups, reduce_scatter's counts are of the own one
  if (side.counts) {
    runtime::require(runtime::pmpi.Comm_size(call.comm, &size), "MPI_Comm_size");
    for (int i = 0; i < size; ++i) {
      possible_ = possible_ && fits_int(side.counts[i]);
      counts.push_back(static_cast<int>(side.counts[i]));
    }
    side.counts = CountView(counts.data());
  }
  possible_ = possible_ && fits_int(side.count);
  receive_ = arguments(side, size, nullptr);
}

}  // namespace tutti::preload

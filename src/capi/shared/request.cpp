#include "capi/shared/request.hpp"

#include <algorithm>
#include <cstdlib>

#include "runtime/datatype/operators.hpp"

namespace tutti::shared {

using runtime::Operation;
using runtime::Side;

namespace {

int wrong_side(const Side& side) {
  if (side.count < 0) return MPI_ERR_COUNT;
  return side.type == MPI_DATATYPE_NULL ? MPI_ERR_TYPE : MPI_SUCCESS;
}

int wrong_counts(const Operation& call, int size) {
  if (call.collective != Collective::allgatherv) return MPI_SUCCESS;
  if (!call.receive.counts) return MPI_ERR_ARG;
  for (int r = 0; r < size; ++r)
    if (call.receive.counts[r] < 0) return MPI_ERR_COUNT;
  return MPI_SUCCESS;
}

/// What each MPI looks at, in the order in which most do.
int wrong_argument(const Operation& call, int size) {
  for (const Side* side : {&call.send, &call.receive})
    if (const int wrong = wrong_side(*side)) return wrong;
  if (const int wrong = wrong_counts(call, size)) return wrong;
  if (rooted(call.collective) && (call.root < 0 || call.root >= size)) return MPI_ERR_ROOT;
  if (reduces(call.collective) && call.op == MPI_OP_NULL) return MPI_ERR_OP;
  return call.send.buffer == MPI_IN_PLACE ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

/// From the first byte of `elements` to their last, as MPI lays them out.
std::int64_t stretch(const runtime::TypeInfo& type, std::int64_t elements) {
  if (elements == 0 || type.size == 0) return 0;
  return (elements - 1) * type.extent + type.true_lower + type.true_extent;
}

/// Whether so many elements from each rank can be reckoned with in 64 bits.  (No memory is that long.)
bool countable(const runtime::TypeInfo& type, std::int64_t count, int ranks) {
  const std::int64_t each = std::max({type.size, std::abs(type.extent), type.true_lower + type.true_extent});
  return static_cast<double>(count) * static_cast<double>(each) * ranks < 0x1p62;
}

bool countable(const Request& request) {
  bool all = countable(request.from.info, request.call.send.count, request.size);
  for (int r = 0; r < request.size && all; ++r) all = countable(request.to.info, request.block(r), request.size);
  return all;
}

std::int64_t all_elements(const Request& request) {
  return one_vector(request.call.collective) ? request.call.receive.count : request.before(request.size);
}

/// Whether what this rank sends is what its block of the result takes.
bool blocks_fit(const Request& request) {
  const Operation& call = request.call;
  return call.send.count * request.from.info.size == request.block(request.rank) * request.to.info.size;
}

}  // namespace

std::int64_t Request::before(int r) const {
  if (!call.receive.counts) return call.receive.count * r;
  std::int64_t sum = 0;
  for (int i = 0; i < r; ++i) sum += call.receive.counts[i];
  return sum;
}

int understand(const Operation& call, int rank, int size, Request& request) {
  if (const int wrong = wrong_argument(call, size)) return wrong;
  request.call = call, request.rank = rank, request.size = size;
  request.from = {call.send.type, runtime::describe(call.send.type, call.comm), call.comm};
  request.to = {call.receive.type, runtime::describe(call.receive.type, call.comm), call.comm};
  const runtime::TypeInfo& type = request.to.info;
  // Data before the result's address, or elements that run backwards, have no place in it.
  if (type.size > 0 && (type.extent < 0 || type.true_lower < 0)) return MPI_ERR_TYPE;
  if (reduces(call.collective) && !runtime::accepted(call.op, call.receive.type, type)) return MPI_ERR_OP;
  if (request.sends() && !call.send.buffer && call.send.count > 0 && request.from.info.predefined)
    return MPI_ERR_BUFFER;
  if (!countable(request)) return MPI_ERR_NO_MEM;
  if (!blocks_fit(request)) return MPI_ERR_TRUNCATE;
  request.elements = all_elements(request);
  request.bytes = stretch(type, request.elements);
  request.data = request.elements * type.size;
  return MPI_SUCCESS;
}

}  // namespace tutti::shared

#include "preload/large_count/large_count_reductions.hpp"

#include <algorithm>
#include <vector>

#include "preload/large_count/large_count_types.hpp"
#include "preload/next_collectives.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::preload {

using runtime::Operation;
using runtime::pmpi;
using runtime::require;

namespace {

constexpr std::int64_t chunk = std::int64_t{1} << 30;  ///< elements of one call where int does not hold them all

/// Calls piece(first, count) for consecutive pieces of [0, total) until one fails.  An empty call stays one.
template <class Piece>
int in_pieces(std::int64_t total, Piece&& piece) {
  if (fits_int(total)) return piece(std::int64_t{0}, static_cast<int>(total));
  int code = MPI_SUCCESS;
  for (std::int64_t first = 0; first < total && code == MPI_SUCCESS; first += chunk)
    code = piece(first, static_cast<int>(std::min(chunk, total - first)));
  return code;
}

/// Element `index` of a buffer that may be absent or MPI_IN_PLACE.
struct Buffer {
  const void* start;
  std::int64_t extent;
  bool in_place;
  void* at(std::int64_t index) const {
    if (in_place) return MPI_IN_PLACE;
    if (!start || index == 0) return const_cast<void*>(start);
    return static_cast<std::byte*>(const_cast<void*>(start)) + index * extent;
  }
};

/// reduce, allreduce, scan, exscan.
int element_by_element(const Operation& call) {
  const std::int64_t count = call.receive.count;
  const std::int64_t extent = fits_int(count) ? 0 : extent_of(call.receive.type);
  const Buffer send{call.send.buffer, extent, call.in_place}, receive{call.receive.buffer, extent, false};
  Operation piece = call;
  return in_pieces(count, [&](std::int64_t first, int n) {
    piece.send.buffer = send.at(first), piece.receive.buffer = receive.at(first), piece.receive.count = n;
    return call_mpi(next_collectives(), piece);
  });
}

/// Moves `count` elements down by `distance` elements within one buffer, in pieces that do not overlap.
void move_down(const Buffer& buffer, std::int64_t distance, std::int64_t count, MPI_Datatype type) {
  for (std::int64_t first = 0; distance > 0 && first < count;) {
    const int n = static_cast<int>(std::min({distance, chunk, count - first}));
    require(pmpi.Sendrecv(buffer.at(distance + first), n, type, 0, 0, buffer.at(first), n, type, 0, 0, MPI_COMM_SELF,
                          MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
    first += n;
  }
}

/// Every block reduced to its owner in turn.  In place, the owner's block is moved to the start afterwards.
int scatter_by_reductions(const Operation& call, const std::vector<std::int64_t>& counts, int rank) {
  const MPI_Datatype type = call.receive.type;
  const std::int64_t extent = extent_of(type);
  const Buffer input{call.in_place ? call.receive.buffer : call.send.buffer, extent, false},
      output{call.receive.buffer, extent, false};
  std::int64_t start = 0, mine = 0;
  int code = MPI_SUCCESS;
  for (int owner = 0; owner < static_cast<int>(counts.size()) && code == MPI_SUCCESS; ++owner) {
    const bool here = owner == rank;
    if (here) mine = start;
    code = in_pieces(counts[static_cast<std::size_t>(owner)], [&](std::int64_t first, int n) {
      const bool over_itself = here && call.in_place;
      return next.MPI_Reduce(over_itself ? MPI_IN_PLACE : input.at(start + first),
                             !here           ? nullptr
                             : call.in_place ? input.at(start + first)
                                             : output.at(first),
                             n, type, call.op, owner, call.comm);
    });
    start += counts[static_cast<std::size_t>(owner)];
  }
  if (call.in_place && code == MPI_SUCCESS) move_down(output, mine, counts[static_cast<std::size_t>(rank)], type);
  return code;
}

int reduce_scatter(const Operation& call) {
  int size = 0, rank = 0, inter = 0;
  require(pmpi.Comm_size(call.comm, &size), "MPI_Comm_size");
  require(pmpi.Comm_rank(call.comm, &rank), "MPI_Comm_rank");
  require(pmpi.Comm_test_inter(call.comm, &inter), "MPI_Comm_test_inter");
  const bool block = call.collective == Collective::reduce_scatter_block;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(size), call.receive.count);
  std::int64_t total = 0;
  for (int i = 0; i < size; ++i) {
    if (!block) counts[static_cast<std::size_t>(i)] = call.receive.counts[i];
    total += counts[static_cast<std::size_t>(i)];
  }
  if (total <= int_max) {
    const std::vector<int> narrow(counts.begin(), counts.end());
    Operation made = call;
    if (!block) made.receive.counts = CountView(narrow.data());
    return call_mpi(next_collectives(), made);
  }
  if (inter) {
    pmpi.Comm_call_errhandler(call.comm, MPI_ERR_COUNT);
    return MPI_ERR_COUNT;
  }
  return scatter_by_reductions(call, counts, rank);
}

}  // namespace

int reduce_narrow(const Operation& call) {
  const bool scatters =
      call.collective == Collective::reduce_scatter || call.collective == Collective::reduce_scatter_block;
  return scatters ? reduce_scatter(call) : element_by_element(call);
}

}  // namespace tutti::preload

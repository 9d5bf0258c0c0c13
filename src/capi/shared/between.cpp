#include "capi/shared/between.hpp"

#include "preload/large_count/large_count.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::shared::between {

using runtime::Operation;

namespace {

/// With any count.  Errors on a communicator of ours are raised on the user's.
void carry_out(const Group& group, const Operation& call, const char* what) {
  const int code = preload::call_narrow(call);
  if (code != MPI_SUCCESS && call.comm != group.comm) runtime::pmpi.Comm_call_errhandler(group.comm, code);
  runtime::require(code, what);
}

Operation on(MPI_Comm comm, Collective which, const Request& request, const void* result) {
  Operation call = request.call;
  call.collective = which, call.comm = comm;
  call.receive.buffer = result, call.receive.counts = {}, call.receive.displacements = {};
  return call;
}

void bcast_elements(const Group& group, const Request& request, std::byte* start, std::int64_t count, int root) {
  Operation call = on(group.leaders, Collective::bcast, request, start);
  call.receive.count = count, call.root = root;
  carry_out(group, call, "MPI_Bcast");
}

/// Consecutive ranks of one node.
struct Run {
  int node, first, last;  ///< last: one past
};

std::vector<Run> runs_of(const Group& group) {
  std::vector<Run> runs;
  for (int r = 0; r < group.size; ++r) {
    const int node = group.node_of[static_cast<std::size_t>(r)];
    if (runs.empty() || runs.back().node != node) runs.push_back({node, r, r});
    runs.back().last = r + 1;
  }
  return runs;
}

/// Counts and places, in elements, of the blocks that are not this node's.
struct Others {
  Others(const Group& group, std::int64_t block, bool any) {
    for (int r = 0; r < group.size; ++r) {
      counts.push_back(any && !group.here(r) ? block : 0);
      places.push_back(block * r);
    }
  }
  std::vector<std::int64_t> counts, places;
};

}  // namespace

void bcast(const Group& group, const Request& request, std::byte* result, int root) {
  bcast_elements(group, request, result, request.elements, root);
}

void allgather(const Group& group, const Request& request, std::byte* result) {
  const std::vector<Run> runs = runs_of(group);
  if (static_cast<int>(runs.size()) > group.nodes) {  // nodes' ranks are mixed: run by run
    for (const Run& run : runs) {
      const std::int64_t first = request.before(run.first);
      bcast_elements(group, request, result + first * request.to.info.extent, request.before(run.last) - first,
                     run.node);
    }
    return;
  }
  std::vector<std::int64_t> counts, places;
  for (const Run& run : runs) {
    places.push_back(request.before(run.first));
    counts.push_back(request.before(run.last) - places.back());
  }
  Operation call = on(group.leaders, Collective::allgatherv, request, result);
  call.in_place = true;
  call.receive.counts = CountView::wide(counts.data()), call.receive.displacements = CountView::wide(places.data());
  carry_out(group, call, "MPI_Allgatherv");
}

void allreduce(const Group& group, const Request& request, std::byte* result) {
  Operation call = on(group.leaders, Collective::allreduce, request, result);
  call.in_place = true;
  carry_out(group, call, "MPI_Allreduce");
}

void reduce(const Group& group, const Request& request, std::byte* result) {
  Operation call = on(group.comm, Collective::reduce, request, result);
  call.root = 0;
  carry_out(group, call, "MPI_Reduce");
}

void gather(const Group& group, const Request& request, std::byte* result) {
  const Others others(group, request.call.receive.count, group.rank == request.call.root);
  Operation call = on(group.comm, Collective::gatherv, request, result);
  if (group.here(request.call.root)) call.send.count = 0;
  call.receive.counts = CountView::wide(others.counts.data());
  call.receive.displacements = CountView::wide(others.places.data());
  carry_out(group, call, "MPI_Gatherv");
}

void alltoall(const Group& group, const Request& request, std::byte* row) {
  const Others to(group, request.call.send.count, true), from(group, request.call.receive.count, true);
  Operation call = on(group.comm, Collective::alltoallv, request, row);
  call.send.counts = CountView::wide(to.counts.data()), call.send.displacements = CountView::wide(to.places.data());
  call.receive.counts = CountView::wide(from.counts.data());
  call.receive.displacements = CountView::wide(from.places.data());
  carry_out(group, call, "MPI_Alltoallv");
}

}  // namespace tutti::shared::between

#include "preload/large_count/large_count.hpp"

#include <new>

#include "preload/large_count/large_count_reductions.hpp"
#include "preload/large_count/large_count_types.hpp"
#include "preload/next.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::preload {

using runtime::Operation;
using runtime::pmpi;
using runtime::require;
using runtime::Side;

namespace {

/// The communicator as the call sees it.
struct Group {
  explicit Group(MPI_Comm comm) {
    int inter = 0;
    require(pmpi.Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
    between_groups = inter != 0;
    require(pmpi.Comm_rank(comm, &rank), "MPI_Comm_rank");
    require(between_groups ? pmpi.Comm_remote_size(comm, &size) : pmpi.Comm_size(comm, &size), "MPI_Comm_size");
  }
  bool is_root(int root) const { return between_groups ? root == MPI_ROOT : root == rank; }
  bool is_leaf(int root) const { return between_groups ? root != MPI_ROOT && root != MPI_PROC_NULL : true; }
  bool between_groups = false;
  int rank = 0, size = 0;  ///< size: of the group that counts are given for
};

/// Which side MPI_IN_PLACE stands for.
bool marks_receive(const Operation& call) { return contract(call.collective).in_place == InPlace::block_in_send; }

const void* sent(const Operation& call) {
  return call.in_place && !marks_receive(call) ? MPI_IN_PLACE : call.send.buffer;
}

void* received(const Operation& call) {
  return call.in_place && marks_receive(call) ? MPI_IN_PLACE : const_cast<void*>(call.receive.buffer);
}

/// Arguments that are not significant on a rank are passed on unread.
Elements elements(const Side& side, bool significant) { return Elements(significant ? side.count : 0, side.type); }

IntArrays arrays(const Side& side, int size, bool significant) {
  return IntArrays(side.counts, side.displacements, significant ? size : 0, side.type);
}

int cannot(const Operation& call) {
  pmpi.Comm_call_errhandler(call.comm, MPI_ERR_COUNT);
  return MPI_ERR_COUNT;
}

int bcast(const Operation& call) {
  const Elements all(call.receive.count, call.receive.type);
  return next.MPI_Bcast(received(call), all.count(), all.type(), call.root, call.comm);
}

int gather(const Operation& call) {
  const Group group(call.comm);
  const Elements send = elements(call.send, group.is_leaf(call.root) && !call.in_place),
                 receive = elements(call.receive, group.is_root(call.root));
  return next.MPI_Gather(sent(call), send.count(), send.type(), received(call), receive.count(), receive.type(),
                         call.root, call.comm);
}

int gatherv(const Operation& call) {
  const Group group(call.comm);
  const Elements send = elements(call.send, group.is_leaf(call.root) && !call.in_place);
  const IntArrays receive = arrays(call.receive, group.size, group.is_root(call.root));
  if (!receive.possible()) return cannot(call);
  return next.MPI_Gatherv(sent(call), send.count(), send.type(), received(call), receive.counts(),
                          receive.displacements(), receive.type(), call.root, call.comm);
}

int scatter(const Operation& call) {
  const Group group(call.comm);
  const Elements send = elements(call.send, group.is_root(call.root)),
                 receive = elements(call.receive, group.is_leaf(call.root) && !call.in_place);
  return next.MPI_Scatter(sent(call), send.count(), send.type(), received(call), receive.count(), receive.type(),
                          call.root, call.comm);
}

int scatterv(const Operation& call) {
  const Group group(call.comm);
  const IntArrays send = arrays(call.send, group.size, group.is_root(call.root));
  const Elements receive = elements(call.receive, group.is_leaf(call.root) && !call.in_place);
  if (!send.possible()) return cannot(call);
  return next.MPI_Scatterv(sent(call), send.counts(), send.displacements(), send.type(), received(call),
                           receive.count(), receive.type(), call.root, call.comm);
}

int allgather(const Operation& call) {
  const Elements send = elements(call.send, !call.in_place), receive = elements(call.receive, true);
  return next.MPI_Allgather(sent(call), send.count(), send.type(), received(call), receive.count(), receive.type(),
                            call.comm);
}

std::byte* place(const Operation& call, std::int64_t elements, std::int64_t extent) {
  return static_cast<std::byte*>(const_cast<void*>(call.receive.buffer)) + elements * extent;
}

/// Every rank's block broadcast in turn, which takes a count beyond int for each.
int allgatherv_by_broadcasts(const Operation& call, const Group& group) {
  const Side& receive = call.receive;
  const std::int64_t extent = extent_of(receive.type);
  if (!call.in_place) {
    const Elements from(call.send.count, call.send.type), to(receive.counts[group.rank], receive.type);
    require(pmpi.Sendrecv(call.send.buffer, from.count(), from.type(), 0, 0,
                          place(call, receive.displacements[group.rank], extent), to.count(), to.type(), 0, 0,
                          MPI_COMM_SELF, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  }
  for (int owner = 0; owner < group.size; ++owner) {
    const Elements block(receive.counts[owner], receive.type);
    const int code = next.MPI_Bcast(place(call, receive.displacements[owner], extent), block.count(), block.type(),
                                    owner, call.comm);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int allgatherv(const Operation& call) {
  const Group group(call.comm);
  std::int64_t total = 0;  // the standard makes all counts equal on all ranks: so is this decision
  for (int i = 0; call.receive.counts && i < group.size; ++i) total += call.receive.counts[i];
  if (total > int_max && !group.between_groups) return allgatherv_by_broadcasts(call, group);
  const Elements send = elements(call.send, !call.in_place);
  const IntArrays receive = arrays(call.receive, group.size, true);
  if (!receive.possible()) return cannot(call);
  return next.MPI_Allgatherv(sent(call), send.count(), send.type(), received(call), receive.counts(),
                             receive.displacements(), receive.type(), call.comm);
}

int alltoall(const Operation& call) {
  const Elements send = elements(call.send, !call.in_place), receive = elements(call.receive, true);
  return next.MPI_Alltoall(sent(call), send.count(), send.type(), received(call), receive.count(), receive.type(),
                           call.comm);
}

int alltoallv(const Operation& call) {
  const Group group(call.comm);
  const IntArrays send = arrays(call.send, group.size, !call.in_place),
                  receive = arrays(call.receive, group.size, true);
  if (!send.possible() || !receive.possible()) return cannot(call);
  return next.MPI_Alltoallv(sent(call), send.counts(), send.displacements(), send.type(), received(call),
                            receive.counts(), receive.displacements(), receive.type(), call.comm);
}

/// alltoallw's displacements are bytes, and every peer has its own type, which can hold what does not fit.
struct Peers {
  Peers(const Side& side, int size) {
    for (int i = 0; i < size; ++i) {
      const bool fits = fits_int(side.counts[i]) && fits_int(side.displacements[i]);
      counts.push_back(fits ? static_cast<int>(side.counts[i]) : 1);
      displacements.push_back(fits ? static_cast<int>(side.displacements[i]) : 0);
      if (!fits) own.push_back(displaced(side.counts[i], side.types[i], side.displacements[i]));
      types.push_back(fits ? side.types[i] : own.back().get());
    }
  }
  std::vector<int> counts, displacements;
  std::vector<MPI_Datatype> types;
  std::vector<OwnType> own;
};

int alltoallw(const Operation& call) {
  const Group group(call.comm);
  const Peers send(call.send, call.in_place ? 0 : group.size), receive(call.receive, group.size);
  return next.MPI_Alltoallw(sent(call), send.counts.data(), send.displacements.data(), send.types.data(),
                            received(call), receive.counts.data(), receive.displacements.data(), receive.types.data(),
                            call.comm);
}

int carry_out(const Operation& call) {
  switch (call.collective) {
    case Collective::barrier:
      return next.MPI_Barrier(call.comm);
    case Collective::bcast:
      return bcast(call);
    case Collective::gather:
      return gather(call);
    case Collective::gatherv:
      return gatherv(call);
    case Collective::scatter:
      return scatter(call);
    case Collective::scatterv:
      return scatterv(call);
    case Collective::allgather:
      return allgather(call);
    case Collective::allgatherv:
      return allgatherv(call);
    case Collective::alltoall:
      return alltoall(call);
    case Collective::alltoallv:
      return alltoallv(call);
    case Collective::alltoallw:
      return alltoallw(call);
    default:
      return reduce_narrow(call);
  }
}

}  // namespace

int call_narrow(const Operation& call) noexcept {
  try {
    return carry_out(call);
  } catch (const runtime::MpiError& error) {  // its error handler has run, in the call that failed
    return error.code;
  } catch (...) {
    pmpi.Comm_call_errhandler(call.comm, MPI_ERR_NO_MEM);
    return MPI_ERR_NO_MEM;
  }
}

}  // namespace tutti::preload

#include "runtime/mpi_collective.hpp"

namespace tutti::runtime {
namespace {

using enum Collective;

bool marks_receive(Collective which) { return contract(which).in_place == InPlace::block_in_send; }

/// A side as functions of int counts take it.
struct Ints {
  int count;
  const int *counts, *displacements;
  MPI_Datatype type;
  const MPI_Datatype* types;

  explicit Ints(const Side& side)
      : count(static_cast<int>(side.count)),
        counts(side.counts.ints()),
        displacements(side.displacements.ints()),
        type(side.type),
        types(side.types) {}
};

int call_wide(const Operation& call) {
  const Side &s = call.send, &r = call.receive;
  const auto counts = [](const Side& side) { return static_cast<const MPI_Count*>(side.counts.data()); };
  const auto places = [](const Side& side) { return static_cast<const MPI_Aint*>(side.displacements.data()); };
  const void* const from = sent(call);
  void* const to = received(call);
  if (call.collective == gatherv)
    return wide.Gatherv(from, s.count, s.type, to, counts(r), places(r), r.type, call.root, call.comm);
  if (call.collective == scatterv)
    return wide.Scatterv(from, counts(s), places(s), s.type, to, r.count, r.type, call.root, call.comm);
  return wide.Alltoallv(from, counts(s), places(s), s.type, to, counts(r), places(r), r.type, call.comm);
}

template <class Mpi>
int reduce_by(const Mpi& mpi, const Operation& call, const Ints& r) {
  const void* const from = sent(call);
  void* const to = received(call);
  switch (call.collective) {
    case reduce:
      return mpi.Reduce(from, to, r.count, r.type, call.op, call.root, call.comm);
    case allreduce:
      return mpi.Allreduce(from, to, r.count, r.type, call.op, call.comm);
    case reduce_scatter:
      return mpi.Reduce_scatter(from, to, r.counts, r.type, call.op, call.comm);
    case reduce_scatter_block:
      return mpi.Reduce_scatter_block(from, to, r.count, r.type, call.op, call.comm);
    case scan:
      return mpi.Scan(from, to, r.count, r.type, call.op, call.comm);
    default:
      return mpi.Exscan(from, to, r.count, r.type, call.op, call.comm);
  }
}

/// A nonblocking function, called like the blocking one.
template <class Function>
struct Starting {
  Function function;
  MPI_Request* request;
  template <class... Arguments>
  int operator()(Arguments... arguments) const {
    return function(arguments..., request);
  }
};

struct StartingCollectives {
#define TUTTI_STARTING(name, function) Starting<decltype(NonblockingCollectives::name)> name;
  TUTTI_PMPI_NONBLOCKING(TUTTI_STARTING)
#undef TUTTI_STARTING
};

template <class Mpi>
int call_by(const Mpi& mpi, const Operation& call) {
  const Ints s(call.send), r(call.receive);
  const void* const from = sent(call);
  void* const to = received(call);
  const MPI_Comm comm = call.comm;
  switch (call.collective) {
    case barrier:
      return mpi.Barrier(comm);
    case bcast:
      return mpi.Bcast(to, r.count, r.type, call.root, comm);
    case gather:
      return mpi.Gather(from, s.count, s.type, to, r.count, r.type, call.root, comm);
    case gatherv:
      return mpi.Gatherv(from, s.count, s.type, to, r.counts, r.displacements, r.type, call.root, comm);
    case scatter:
      return mpi.Scatter(from, s.count, s.type, to, r.count, r.type, call.root, comm);
    case scatterv:
      return mpi.Scatterv(from, s.counts, s.displacements, s.type, to, r.count, r.type, call.root, comm);
    case allgather:
      return mpi.Allgather(from, s.count, s.type, to, r.count, r.type, comm);
    case allgatherv:
      return mpi.Allgatherv(from, s.count, s.type, to, r.counts, r.displacements, r.type, comm);
    case alltoall:
      return mpi.Alltoall(from, s.count, s.type, to, r.count, r.type, comm);
    case alltoallv:
      return mpi.Alltoallv(from, s.counts, s.displacements, s.type, to, r.counts, r.displacements, r.type, comm);
    case alltoallw:
      return mpi.Alltoallw(from, s.counts, s.displacements, s.types, to, r.counts, r.displacements, r.types, comm);
    default:
      return reduce_by(mpi, call, r);
  }
}

}  // namespace

const void* sent(const Operation& call) {
  return call.in_place && !marks_receive(call.collective) ? MPI_IN_PLACE : call.send.buffer;
}

void* received(const Operation& call) {
  return call.in_place && marks_receive(call.collective) ? MPI_IN_PLACE : const_cast<void*>(call.receive.buffer);
}

int call_mpi(const Collectives& mpi, const Operation& call) {
  return call.send.counts.is_wide() || call.receive.counts.is_wide() ? call_wide(call) : call_by(mpi, call);
}

int start_mpi(const Operation& call, MPI_Request& request) {
#define TUTTI_STARTING(name, function) {nonblocking.name, &request},
  return call_by(StartingCollectives{TUTTI_PMPI_NONBLOCKING(TUTTI_STARTING)}, call);
#undef TUTTI_STARTING
}

}  // namespace tutti::runtime

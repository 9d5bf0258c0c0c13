#include "record/flavour/size.hpp"

#include "mpi/types.hpp"

namespace tutti::record {
namespace {

using mpi::Operation;
using mpi::Side;

std::int64_t bytes(MPI_Datatype type, std::int64_t count) {
  if (count == 0) return 0;
  const std::int64_t plain = mpi::plain_size(type);
  return count * (plain >= 0 ? plain : mpi::size_of(type));
}

std::int64_t bytes(const Side& side) { return bytes(side.type, side.count); }

std::int64_t total(const CountView& counts, int ranks) {
  std::int64_t sum = 0;
  for (int i = 0; i < ranks; ++i) sum += counts[i];
  return sum;
}

std::int64_t received(const Side& side, int ranks) {
  if (!side.types) return bytes(side.type, total(side.counts, ranks));
  std::int64_t sum = 0;
  for (int i = 0; i < ranks; ++i) sum += bytes(side.types[i], side.counts[i]);
  return sum;
}

}  // namespace

const Side& side_of_size(const Operation& call, Rank me) {
  using enum Collective;
  const bool root = me == call.root;
  if (call.collective == gather || call.collective == gatherv) return root ? call.receive : call.send;
  if (call.collective == scatter || call.collective == scatterv) return root ? call.send : call.receive;
  return call.receive;
}

std::int64_t size_of_call(const Operation& call, Rank me, int ranks) {
  using enum Collective;
  const Side& side = side_of_size(call, me);
  switch (call.collective) {
    case barrier:
      return 0;
    case gatherv:
    case scatterv:
      return me == call.root ? bytes(side.type, side.counts[me]) : bytes(side);
    case allgatherv:
      return bytes(side.type, side.counts[me]);
    case alltoallv:
    case alltoallw:
      return received(side, ranks) / ranks;
    case reduce_scatter:
      return bytes(side.type, total(side.counts, ranks));
    case bcast:
    case gather:
    case scatter:
    case allgather:
    case alltoall:
    case reduce:
    case allreduce:
    case reduce_scatter_block:
    case scan:
    case exscan:
      return bytes(side);
  }
  return 0;
}

}  // namespace tutti::record

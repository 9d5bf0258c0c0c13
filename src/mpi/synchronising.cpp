#include "mpi/synchronising.hpp"

#include "mpi/types.hpp"

namespace tutti::mpi {
namespace {

/// Every rank has a block with something in it.
bool all_positive(const CountView& counts, int ranks) {
  for (int rank = 0; rank < ranks; ++rank)
    if (counts[rank] <= 0) return false;
  return true;
}

}  // namespace

bool synchronises(const Operation& call, int ranks) {
  using enum Collective;
  const Side& receive = call.receive;
  switch (call.collective) {
    case barrier:
      return true;
    case allgather:
    case alltoall:
      return receive.count > 0 && size_of(receive.type) > 0;
    case allgatherv:
      return all_positive(receive.counts, ranks) && size_of(receive.type) > 0;
    // Elements of a user's operator may have other sizes on other ranks: the count alone is common.
    case allreduce:
    case reduce_scatter_block:
      return receive.count > 0;
    case reduce_scatter:
      return all_positive(receive.counts, ranks);
    default:  // rooted; scans; alltoallv and w, whose blocks two ranks alone know
      return false;
  }
}

}  // namespace tutti::mpi

#include "runtime/plan/aliasing.hpp"

#include <algorithm>
#include <climits>

#include "runtime/datatype/types.hpp"
#include "runtime/mpi_collective.hpp"
#include "runtime/platform/own_self.hpp"

namespace tutti::runtime {
namespace {

using enum Collective;

/// Bytes from the start of a side to the rank's own block.
std::int64_t own_place(const Side& side, MPI_Comm comm, Rank me) {
  const std::int64_t extent = describe(side.type, comm).extent;
  return extent * (side.counts ? side.displacements[me] : me * side.count);
}

/// The side from which the rank gives or gets one block, and the one that has all.
bool same_place(const Side& one, const Side& all, MPI_Comm comm, Rank me) {
  if (!one.buffer || !all.buffer || one.count == 0 || all.type == MPI_DATATYPE_NULL) return false;
  return one.buffer == static_cast<const char*>(all.buffer) + own_place(all, comm, me);
}

/// The collective of equal blocks that is refused alike: one rank has no use for arrays of counts.
Collective without_arrays(Collective which) {
  if (which == gatherv) return gather;
  if (which == scatterv) return scatter;
  if (which == allgatherv) return allgather;
  return which == alltoallv || which == alltoallw ? alltoall : which;
}

}  // namespace

bool aliased(const Operation& call, Rank me) {
  const Contract& rules = contract(call.collective);
  const Side &send = call.send, &receive = call.receive;
  const bool by_places = all_to_all(call.collective) && rules.send.irregular;  // blocks may lie anywhere
  if (call.in_place || by_places || !among(rules.in_place_on, me, call.root)) return false;
  switch (rules.in_place) {
    case InPlace::never:
      return false;
    case InPlace::block_in_receive:
      return same_place(send, receive, call.comm, me);
    case InPlace::block_in_send:
      return same_place(receive, send, call.comm, me);
    case InPlace::all_in_receive:
      break;
  }
  return send.buffer && send.buffer == receive.buffer && (receive.counts || receive.count != 0);
}

bool refuses_aliases(const Operation& call) {
  const MPI_Comm self = own_self();
  if (self == MPI_COMM_NULL) return false;
  const bool scatters = call.collective == scatter || call.collective == scatterv;
  Operation alone = call;
  alone.collective = without_arrays(call.collective), alone.comm = self, alone.root = 0;
  // One element is enough to be refused for, and copied soon.
  const int one = 1;
  for (Side* const side : {&alone.send, &alone.receive}) {
    side->buffer = scatters ? call.receive.buffer : call.send.buffer, side->count = one;
    side->counts = side->counts && reduces(call.collective) ? CountView(&one) : CountView(), side->displacements = {};
  }
  return call_mpi(alone) != MPI_SUCCESS;
}

}  // namespace tutti::runtime

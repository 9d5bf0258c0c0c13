#include "runtime/plan/aliasing.hpp"

#include <algorithm>
#include <climits>

#include "runtime/datatype/types.hpp"
#include "runtime/platform/own_self.hpp"
#include "runtime/platform/pmpi.hpp"

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

/// One and the same memory as both sides of that collective, among one rank.
int on_itself(const Operation& call, void* memory, int count, MPI_Comm self) {
  const MPI_Datatype type = call.receive.type, sent = call.send.type;
  switch (call.collective) {
    case reduce:
      return pmpi.Reduce(memory, memory, count, type, call.op, 0, self);
    case allreduce:
      return pmpi.Allreduce(memory, memory, count, type, call.op, self);
    case reduce_scatter:
      return pmpi.Reduce_scatter(memory, memory, &count, type, call.op, self);
    case reduce_scatter_block:
      return pmpi.Reduce_scatter_block(memory, memory, count, type, call.op, self);
    case scan:
      return pmpi.Scan(memory, memory, count, type, call.op, self);
    case exscan:
      return pmpi.Exscan(memory, memory, count, type, call.op, self);
    case gather:
    case gatherv:
      return pmpi.Gather(memory, count, sent, memory, count, type, 0, self);
    case scatter:
    case scatterv:
      return pmpi.Scatter(memory, count, sent, memory, count, type, 0, self);
    case allgather:
    case allgatherv:
      return pmpi.Allgather(memory, count, sent, memory, count, type, self);
    default:
      return pmpi.Alltoall(memory, count, sent, memory, count, type, self);
  }
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
  // One element is enough to be refused for, and copied soon.
  const bool scatters = call.collective == scatter || call.collective == scatterv;
  auto* const memory = const_cast<void*>(scatters ? call.receive.buffer : call.send.buffer);
  return on_itself(call, memory, 1, self) != MPI_SUCCESS;
}

}  // namespace tutti::runtime

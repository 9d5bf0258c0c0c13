#include "preload/large_count/large_count.hpp"

#include "preload/large_count/int_sides.hpp"
#include "preload/large_count/large_count_reductions.hpp"
#include "preload/large_count/large_count_types.hpp"
#include "preload/next_collectives.hpp"
#include "runtime/errors.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::preload {

using runtime::Operation;
using runtime::pmpi;
using runtime::require;
using runtime::Side;

namespace {

std::byte* place(const Operation& call, std::int64_t elements, std::int64_t extent) {
  return static_cast<std::byte*>(const_cast<void*>(call.receive.buffer)) + elements * extent;
}

/// Every rank's block broadcast in turn, which takes a count beyond int for each.
int allgatherv_by_broadcasts(const Operation& call, const CallGroup& group) {
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

/// Whether every rank has the same reason to cut it: the standard makes all counts equal on all ranks.
bool cut_into_broadcasts(const Operation& call, const CallGroup& group) {
  if (call.collective != Collective::allgatherv || !call.receive.counts || group.between_groups) return false;
  std::int64_t total = 0;
  for (int i = 0; i < group.size; ++i) total += call.receive.counts[i];
  return total > int_max;
}

int carry_out(const Operation& call) {
  const Contract& rules = contract(call.collective);
  if (rules.reduces) return reduce_narrow(call);
  if (call.collective == Collective::barrier) return call_mpi(next_collectives(), call);
  const CallGroup group(call.comm);
  if (cut_into_broadcasts(call, group)) return allgatherv_by_broadcasts(call, group);
  const IntSides sides(call, group);
  if (!sides.possible()) return cannot(call);
  Operation made = call;
  made.send = sides.send(), made.receive = sides.receive();
  return call_mpi(next_collectives(), made);
}

}  // namespace

int call_narrow(const Operation& call) noexcept {
  try {
    return carry_out(call);
  } catch (...) {
    return failed(call);
  }
}

}  // namespace tutti::preload

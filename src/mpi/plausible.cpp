/// Whether a call's arguments look valid.  Errors are the MPI library's to raise: a call that does not look valid is
/// passed on, on this rank, as it is.  Of buffers null pointers are looked for, and whether the two sides are the same.
#include "mpi/aliasing.hpp"
#include "mpi/executor.hpp"
#include "mpi/operators.hpp"
#include "mpi/packing.hpp"
#include "mpi/types.hpp"

namespace tutti::mpi {
namespace {

using enum Collective;

/// Data at address 0.
bool nowhere(const void* start, const TypeInfo& info) {
  return start == nullptr && (info.predefined || (info.size > 0 && info.true_lower == 0));
}

/// `count` elements of a type at an address.  Null is MPI_BOTTOM where the type has absolute addresses, and null types
/// may stand where there are no elements.  What is refused here must be an error everywhere: on a call that is right,
/// a rank that alone went to the MPI underneath would wait for ever.
bool sound(const void* buffer, std::int64_t count, MPI_Datatype type, MPI_Comm comm) {
  if (count == 0) return true;
  if (count < 0 || type == MPI_DATATYPE_NULL) return false;
  const TypeInfo info = describe(type, comm);
  return info.usable && !nowhere(buffer, info);
}

/// A block of alltoallw with something in it, so many bytes behind the buffer.
bool sound_block(const void* buffer, std::int64_t displacement, MPI_Datatype type, MPI_Comm comm) {
  if (type == MPI_DATATYPE_NULL) return false;
  const TypeInfo info = describe(type, comm);
  return info.usable && !nowhere(at(buffer, displacement), info);
}

/// `owners` blocks of a side.
bool sound(const Side& side, int owners, MPI_Comm comm) {
  if (!side.counts) return sound(side.buffer, side.count, side.type, comm);
  if (!side.displacements) return false;
  std::int64_t elements = 0;
  for (int i = 0; i < owners; ++i) {
    const std::int64_t count = side.counts[i];
    if (count < 0) return false;
    if (side.types && count > 0 && !sound_block(side.buffer, side.displacements[i], side.types[i], comm)) return false;
    elements += count;
  }
  return side.types || sound(side.buffer, elements, side.type, comm);
}

bool sound_reduction(const Operation& call, int ranks, Rank me) {
  const Side& side = call.receive;
  const bool receives = (call.collective != reduce || me == call.root) && (call.collective != exscan || me > 0);
  if (call.op == MPI_OP_NULL || side.type == MPI_DATATYPE_NULL) return false;
  if (call.in_place && call.collective == reduce && !receives) return false;
  std::int64_t count = side.count, received = count;
  if (call.collective == reduce_scatter) {
    if (!side.counts) return false;
    count = 0, received = side.counts[me];
    for (int i = 0; i < ranks; ++i) {
      if (side.counts[i] < 0) return false;
      count += side.counts[i];
    }
  } else if (call.collective == reduce_scatter_block) {
    count *= ranks;
  }
  if (!accepted(call.op, side.type, describe(side.type, call.comm))) return false;
  const void* const own = call.in_place ? side.buffer : call.send.buffer;
  return sound(own, count, side.type, call.comm) && (!receives || sound(side.buffer, received, side.type, call.comm));
}

bool sound_call(const Operation& call, int ranks, Rank me) {
  if (rooted(call.collective) && (call.root < 0 || call.root >= ranks)) return false;
  if (reduces(call.collective)) return sound_reduction(call, ranks, me);
  const Side &send = call.send, &receive = call.receive;
  const bool root = me == call.root;
  switch (call.collective) {
    case bcast:
      return sound(receive, 1, call.comm);
    case gather:
    case gatherv:
      if (!root) return !call.in_place && sound(send, 1, call.comm);
      return sound(receive, ranks, call.comm) && (call.in_place || sound(send, 1, call.comm));
    case scatter:
    case scatterv:
      if (!root) return !call.in_place && sound(receive, 1, call.comm);
      return sound(send, ranks, call.comm) && (call.in_place || sound(receive, 1, call.comm));
    case allgather:
    case allgatherv:
      return sound(receive, ranks, call.comm) && (call.in_place || sound(send, 1, call.comm));
    case alltoall:
    case alltoallv:
    case alltoallw:
      return sound(receive, ranks, call.comm) && (call.in_place || sound(send, ranks, call.comm));
    default:
      return true;
  }
}

}  // namespace

bool plausible(const Operation& call, int ranks, Rank me) {
  return sound_call(call, ranks, me) && !(aliased(call, me) && refuses_aliases(call));
}

}  // namespace tutti::mpi

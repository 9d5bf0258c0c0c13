/// Validates a call's arguments.  The MPI library raises the errors: an invalid call is passed on unchanged, on this
/// rank.  Buffers are checked for null pointers and for aliasing of the two sides.
#include "runtime/datatype/operators.hpp"
#include "runtime/datatype/packing.hpp"
#include "runtime/datatype/types.hpp"
#include "runtime/plan/aliasing.hpp"
#include "runtime/plan/sides.hpp"
#include "runtime/wire/flat_call.hpp"

namespace tutti::runtime {
namespace {

/// Data at address 0.
bool nowhere(const void* start, const TypeInfo& info) {
  return start == nullptr && (info.predefined || (info.size > 0 && info.true_lower == 0));
}

/// `count` elements of a type at an address.  Null is MPI_BOTTOM if the type has absolute addresses, and null types are
/// allowed without elements.  What is refused here must be an error everywhere: on a correct call, a rank that alone
/// went to the MPI underneath would wait for ever.
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

/// Elements in the row of blocks, or in the vector, that the receiving side of a reduction tells; below 0: none at all.
std::int64_t contributed(const Operation& call, int ranks) {
  const CountView& counts = call.receive.counts;
  if (!contract(call.collective).receive.irregular)
    return call.receive.count * (contract(call.collective).send.shape == Shape::row ? ranks : 1);
  if (!counts) return -1;
  std::int64_t sum = 0;
  for (int i = 0; i < ranks; ++i) {
    if (counts[i] < 0) return -1;
    sum += counts[i];
  }
  return sum;
}

bool sound_reduction(const Operation& call, int ranks, Rank me) {
  const Side& side = call.receive;
  const Contract& rules = contract(call.collective);
  const bool receives = among(rules.receive.ranks, me, call.root);
  if (call.op == MPI_OP_NULL || side.type == MPI_DATATYPE_NULL) return false;
  const std::int64_t count = contributed(call, ranks);
  if (count < 0 || !accepted(call.op, side.type, describe(side.type, call.comm))) return false;
  const std::int64_t received = rules.receive.irregular ? side.counts[me] : side.count;
  const void* const own = call.in_place ? side.buffer : call.send.buffer;
  return sound(own, count, side.type, call.comm) && (!receives || sound(side.buffer, received, side.type, call.comm));
}

bool sound_call(const Operation& call, int ranks, Rank me) {
  const Contract& rules = contract(call.collective);
  if (rooted(call.collective) && (call.root < 0 || call.root >= ranks)) return false;
  if (call.in_place && !among(rules.in_place_on, me, call.root)) return false;
  if (rules.reduces) return sound_reduction(call, ranks, me);
  const Sides sides(call, me, ranks);
  const bool gives = sides.send != 0 && !(call.in_place && rules.in_place == InPlace::all_in_receive);
  return (sides.receive == 0 || sound(call.receive, sides.receive, call.comm)) &&
         (!gives || sound(call.send, sides.send, call.comm));
}

}  // namespace

bool valid_arguments(const Operation& call, int ranks, Rank me) {
  return sound_call(call, ranks, me) && !(aliased(call, me) && refuses_aliases(call));
}

}  // namespace tutti::runtime

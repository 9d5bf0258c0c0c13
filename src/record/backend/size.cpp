#include "record/backend/size.hpp"

#include "runtime/datatype/types.hpp"
#include "runtime/plan/sides.hpp"

namespace tutti::record {
namespace {

using runtime::Operation;
using runtime::Side;

std::int64_t bytes(MPI_Datatype type, std::int64_t count) {
  if (count == 0) return 0;
  const std::int64_t plain = runtime::plain_size(type);
  return count * (plain >= 0 ? plain : runtime::size_of(type));
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

std::int64_t size_of_call(const Operation& call, Rank me, int ranks) {
  const Contract& rules = contract(call.collective);
  const Side& side = runtime::side_of_size(call, me);
  if (rules.size == CommonSize::none) return 0;
  if (rules.size == CommonSize::pair) return received(side, ranks) / ranks;
  if (!side.counts) return bytes(side);
  return bytes(side.type, rules.reduces ? total(side.counts, ranks) : side.counts[me]);
}

}  // namespace tutti::record

/// The signature of a call: what the standard makes equal on all ranks, and nothing else.
#include <algorithm>

#include "runtime/datatype/operators.hpp"
#include "runtime/datatype/types.hpp"
#include "runtime/plan/sides.hpp"
#include "runtime/wire/flat_call.hpp"

namespace tutti::runtime {
namespace {

std::int64_t total(const CountView& counts, int ranks) {
  std::int64_t sum = 0;
  for (int i = 0; i < ranks; ++i) sum += counts[i];
  return sum;
}

std::int64_t bytes_of(const Side& side, std::int64_t count) { return count == 0 ? 0 : count * size_of(side.type); }

/// The larger of the two blocks that two ranks send each other in an alltoallv or alltoallw: both know both.
std::int64_t between_two(const Operation& call, Rank me) {
  const Rank other = 1 - me;
  const auto block = [&](const Side& side) {
    const std::int64_t count = side.counts[other];
    return count == 0 ? 0 : count * size_of(side.types ? side.types[other] : side.type);
  };
  return call.in_place ? block(call.receive) : std::max(block(call.receive), block(call.send));
}

/// Types may have different sizes on the ranks of a call with a user's operator, so that only the count is common: that
/// makes its size.
CallSignature reduction(const Operation& call, std::int64_t count) {
  CallSignature signature{call.collective};
  signature.count = count;
  signature.predefined = predefined(call.op);
  signature.commutative = signature.predefined || commutative(call.op);
  signature.bytes = signature.predefined ? bytes_of(call.receive, count) : count * nominal_element;
  return signature;
}

}  // namespace

CallSignature signature_of(const Operation& call, int ranks, Rank me) {
  const Contract& rules = contract(call.collective);
  const Side& side = side_of_size(call, me);
  const bool all_counts = rules.size == CommonSize::counts;
  if (rules.reduces) return reduction(call, all_counts ? total(side.counts, ranks) : side.count);
  CallSignature signature{call.collective};
  switch (rules.size) {
    case CommonSize::none:
      signature.bytes = 0;
      break;
    case CommonSize::count:
      signature.bytes = bytes_of(side, side.count);
      break;
    case CommonSize::counts:  // per peer: the mean block
      signature.bytes = bytes_of(side, total(side.counts, ranks)) / ranks;
      break;
    case CommonSize::pair:
      if (ranks == 2) signature.bytes = between_two(call, me);
      break;
    case CommonSize::unknown:
      break;
  }
  return signature;
}

}  // namespace tutti::runtime

#include "runtime/communicator/synchronising.hpp"

#include "runtime/datatype/types.hpp"

namespace tutti::runtime {
namespace {

/// Every rank has a block with something in it.
bool all_positive(const CountView& counts, int ranks) {
  for (int rank = 0; rank < ranks; ++rank)
    if (counts[rank] <= 0) return false;
  return true;
}

}  // namespace

bool synchronises(const Operation& call, int ranks) {
  const Contract& rules = contract(call.collective);
  const Side& receive = call.receive;
  if (!rules.needs_all || rules.size == CommonSize::pair) return false;  // known to each pair only
  if (rules.size == CommonSize::none) return true;
  const bool given = rules.size == CommonSize::counts ? all_positive(receive.counts, ranks) : receive.count > 0;
  // Elements of a user's operator may have other sizes on other ranks: the count alone is common.
  return given && (rules.reduces || size_of(receive.type) > 0);
}

}  // namespace tutti::runtime

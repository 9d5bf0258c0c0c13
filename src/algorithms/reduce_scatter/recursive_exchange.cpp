/// Recursive exchange backwards: in each phase the k ranks whose numbers differ in one digit to the base k send each
/// other what the other's group wants of all they have combined, furthest first: T = (k-1) log_k p alpha + (p-1)/p m
/// (beta + gamma) for powers of k; with k-1 ports, log_k p alpha.  Other p fold to a power of k: two more messages, one
/// of the whole vector.  Far partners first is not the order of ranks: the operator must commute.  Scratch for the k-1
/// parts that arrive at a time.
///
/// Recursive halving is that with k = 2: Thakur, Rabenseifner & Gropp 2005, 4.4.
#include <algorithm>

#include "algorithms/allgather/allgather.hpp"
#include "algorithms/combinators/from_input.hpp"
#include "algorithms/combinators/reverse.hpp"

namespace tutti {
namespace {

Schedule exchange(Context context, int radix) {
  const Context forward{context.me, context.size, 0, {{radix}}};
  const int at_a_time = std::max(2, radix - 1);
  return from_input(context, reversed_reducing(context.me, allgather_recursive_exchange(forward), at_a_time));
}

}  // namespace

Schedule reduce_scatter_recursive_exchange(Context context) {
  return exchange(context, std::clamp(context.parameter(0, 4), 2, std::max(2, context.size)));
}

Schedule reduce_scatter_recursive_halving(Context context) { return exchange(context, 2); }

}  // namespace tutti

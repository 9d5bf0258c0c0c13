/// As binary, over a tree in which every rank's operands come from the runs of ranks just below it: rank order at the
/// same cost.  The tree ends at rank p-1, which passes the result on to another root: alpha + m beta more.
/// As in Open MPI.
#include "algorithms/combinators/reverse.hpp"
#include "algorithms/phases/trees.hpp"
#include "algorithms/reduce/passed_on.hpp"

namespace tutti {

Schedule reduce_in_order_binary(Context context) {
  Schedule down = bcast_down(InOrderBinaryTree{context.size}.place(context.me), context.parameter(0, 8));
  return passed_on(context, context.size - 1, reversed_reducing(context.me, std::move(down), 4));
}

}  // namespace tutti

#include "algorithms/reduce/passed_on.hpp"

namespace tutti {

Schedule passed_on(Context context, Rank at, Schedule reduction) {
  while (const Step* step = reduction.next()) co_yield *step;
  if (context.root == at) co_return;
  if (context.me == at) co_yield send(context.root, output(0));
  if (context.me == context.root) co_yield receive(at, output(0));
  co_yield round_mark();
}

}  // namespace tutti

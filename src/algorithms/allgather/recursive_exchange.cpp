/// In each phase the k groups whose numbers differ in one digit to the base k exchange all they hold:
/// T = (k-1) log_k p alpha + (p-1)/p m beta for powers of k; with k-1 ports, log_k p alpha.  Other p fold to a power of
/// k.  MPICH, "recursive exchange"; k = 2 is recursive doubling without the subtree correction.
#include <algorithm>

#include "algorithms/combinators/combinators.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {
namespace {

/// The radix is the first parameter.
Schedule exchange(Context context) {
  const int radix = context.parameters[0];
  for (int group = 1; group < context.size; group *= radix) {
    const int digit = context.me / group % radix;
    const auto peer = [&](int steps) { return context.me + ((digit + steps + radix) % radix - digit) * group; };
    const auto held = [&](Rank rank) { return output(rank / group * group, group); };
    for (int steps = 1; steps < radix; ++steps) {
      co_yield send(peer(steps), held(context.me));
      co_yield receive(peer(-steps), held(peer(-steps)));
    }
    co_yield round_mark();
  }
}

}  // namespace

Schedule allgather_recursive_exchange(Context context) {
  const int radix = std::clamp(context.parameter(0, 4), 2, std::max(2, context.size));
  context.parameters = {{radix}};
  return folded_blocks(context, Fold::to_power_of(radix, context.size), exchange);
}

}  // namespace tutti

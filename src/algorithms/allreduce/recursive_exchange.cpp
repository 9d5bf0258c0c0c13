/// In each phase the k ranks whose numbers differ in one digit to the base k exchange all they have, and all combine it
/// in the order of that digit, so that all get the same bits: T = (k-1) log_k p (alpha + m (beta + gamma)) for powers
/// of k; with k-1 ports, log_k p (alpha + m beta).  Scratch for k-1 vectors.
///
/// Recursive exchange folds other p in groups of neighbours, which keeps the order of operands.  Recursive multiplying
/// spreads the ranks beyond the power of k over the others: fewer messages in a row, but the operator must commute.
/// Both as in MPICH; Ruefenacht, Bull & Booth 2017.
#include <algorithm>

#include "algorithms/combinators/combinators.hpp"

namespace tutti {
namespace {

/// The radix is the first parameter.
Schedule exchange(Context context) {
  const int radix = context.parameters[0];
  const Blocks mine = output(0);
  for (int slot = 0; slot < (context.size > 1 ? radix - 1 : 0); ++slot) co_yield scratch_area(slot, 0, 1);
  for (int group = 1; group < context.size; group *= radix) {
    const int digit = context.me / group % radix;
    const auto peer = [&](int other) { return context.me + (other - digit) * group; };
    const auto theirs = [&](int other) { return scratch(other < digit ? other : other - 1, 0); };
    for (int steps = 1; steps < radix; ++steps) {
      const int from = (digit - steps + radix) % radix;
      co_yield send(peer((digit + steps) % radix), mine);
      co_yield receive(peer(from), theirs(from));
    }
    for (int lower = 1; lower < digit; ++lower) co_yield reduce_right(theirs(lower), theirs(0));
    if (digit > 0) co_yield reduce_left(theirs(0), mine);
    for (int higher = digit + 1; higher < radix; ++higher) co_yield reduce_right(theirs(higher), mine);
    co_yield round_mark();
  }
}

Context with_radix(Context context) {
  context.parameters = {{std::clamp(context.parameter(0, 4), 2, std::max(2, context.size))}};
  return context;
}

}  // namespace

Schedule allreduce_recursive_exchange(Context context) {
  context = with_radix(context);
  return folded(context, Fold::to_power_of(context.parameters[0], context.size), exchange);
}

Schedule allreduce_recursive_multiplying(Context context) {
  context = with_radix(context);
  const int power = floor_power(context.size, context.parameters[0]);
  const Rank me = context.me, carrier = me % power;
  if (me != carrier) {
    co_yield send(carrier, output(0));
    co_yield round_mark();
    co_yield receive(carrier, output(0));
    co_yield round_mark();
    co_return;
  }
  int slots = 0;
  for (Rank rank = me + power; rank < context.size; rank += power, ++slots) {
    co_yield scratch_area(slots, 0, 1);
    co_yield receive(rank, scratch(slots, 0));
    co_yield reduce_right(scratch(slots, 0), output(0));
  }
  if (slots > 0) co_yield round_mark();
  Schedule core = with_slots_from(slots, exchange({me, power, 0, context.parameters}));
  while (const Step* step = core.next()) co_yield *step;
  for (Rank rank = me + power; rank < context.size; rank += power) co_yield send(rank, output(0));
  if (slots > 0) co_yield round_mark();
}

}  // namespace tutti

/// Reduce-scatter by halving, then a gather back along the same way: T = 2 lg p alpha + 2 (p-1)/p m beta +
/// (p-1)/p m gamma for powers of two; otherwise at most 2 alpha + m (beta + gamma) more, since ranks fold first.
/// Rabenseifner 2004; Thakur, Rabenseifner & Gropp 2005.  Halving nearest neighbours first keeps the order of operands.
///
/// Whoever is in the way from the root stops after it has sent what it has.  A root that has folded takes its carrier's
/// part of the result, and its place.
#include "algorithms/combinators/combinators.hpp"
#include "algorithms/combinators/reverse.hpp"
#include "algorithms/phases/phases.hpp"

namespace tutti {
namespace {

/// Rank u holds its part; the root gets all of them.
Schedule gather_halved(int u, int root, Halving halving) {
  for (int round = halving.rounds() - 1; round >= 0; --round) {
    const int peer = halving.peer(u, round), differs = (u ^ root) >> round;
    const Halving::Window held = halving.window(u, round + 1), theirs = halving.window(peer, round + 1);
    if (differs == 1) co_yield send(peer, output(held.first, held.count));
    if (differs == 0) co_yield receive(peer, output(theirs.first, theirs.count));
    co_yield round_mark();
  }
}

}  // namespace

Schedule reduce_rabenseifner(Context context) {
  const Fold fold{context.size};
  const Halving halving{fold.size()};
  const Rank me = context.me, root = context.root, carrier = fold.carrier_of(root);
  const int u = fold.folded(me), last = fold.folded(root);
  Schedule steps = handed_over(context, fold);
  if (!fold.idle(me)) {
    Schedule halves = on_parts(reversed_reducing(u, allgather_halved(u, halving), 1), halving.size);
    steps = then(std::move(steps), on_ranks(std::move(halves), [fold](int number) { return fold.unfolded(number); }));
  }
  while (const Step* step = steps.next()) co_yield *step;
  const Blocks result = part(output(0), halving.part(last), halving.size);
  if (carrier != root && me == carrier) co_yield send(root, result);
  if (carrier != root && me == root) co_yield receive(carrier, result);
  if (carrier != root) co_yield round_mark();
  if (u == last ? me != root : fold.idle(me)) co_return;
  const auto rank_of = [=](int number) { return number == last ? root : fold.unfolded(number); };
  Schedule gather = on_ranks(on_parts(gather_halved(u, last, halving), halving.size), rank_of);
  while (const Step* step = gather.next()) co_yield *step;
}

}  // namespace tutti

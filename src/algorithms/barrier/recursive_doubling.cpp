/// Partners at distance 1, 2, 4, … tell each other whom they have heard of: T = lg p alpha.  Where p is no power of
/// two, the even ones of the first ranks stand behind their neighbours (patterns/fold.hpp): 2 alpha more.
#include "core/schedule.hpp"
#include "patterns/fold.hpp"

namespace tutti {

Schedule barrier_recursive_doubling(Context context) {
  const Fold fold{context.size};
  const Rank me = context.me, carrier = fold.carrier_of(me);
  const bool carries = me > 0 && fold.carrier_of(me - 1) == me;
  if (me != carrier) {
    co_yield send(carrier, token(0));
    co_yield round_mark();
    co_yield receive(carrier, token(1));
    co_yield round_mark();
    co_return;
  }
  int heard = 1;
  if (carries) {
    co_yield receive(me - 1, token(heard++));
    co_yield round_mark();
  }
  for (int distance = 1; distance < fold.size(); distance *= 2) {
    const Rank partner = fold.unfolded(fold.folded(me) ^ distance);
    co_yield send(partner, token(0, heard));
    co_yield receive(partner, token(heard++));
    co_yield round_mark();
  }
  if (carries) {
    co_yield send(me - 1, token(0, heard));
    co_yield round_mark();
  }
}

}  // namespace tutti

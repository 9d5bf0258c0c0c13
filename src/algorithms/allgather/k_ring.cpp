/// Rings within rings: blocks go round within each group of k neighbours, then each group's blocks hop to the next
/// group and go round there, and so on: T = (p-1)(alpha + m/p beta) where k divides p, but only p/k - 1 of the rounds
/// cross groups.  Wilkins et al. 2023.  Where group sizes differ, a group's block j rides on the member j mod its size:
/// now and then a message holds two blocks, or a member has none to pass on.
#include <algorithm>

#include "core/schedule.hpp"
#include "patterns/groups.hpp"
#include "patterns/ring.hpp"

namespace tutti {
namespace {

struct KRing {
  Groups groups;

  /// The member of `group` on whom block j of a group rides when it comes.
  Rank host(int group, int j) const { return groups.first(group) + j % groups.size(group); }
  /// Blocks of group `whose` that ride on the member `place` of a group of `members`.
  BlockList riders(int whose, int place, int members) const {
    BlockList blocks;
    for (int j = place; j < groups.size(whose); j += members) blocks.add(output(groups.first(whose) + j));
    return blocks;
  }
};

/// The blocks of group `whose` once round the group.
Schedule go_round(Rank me, KRing rings, int whose) {
  const int group = rings.groups.of(me), members = rings.groups.size(group);
  const Rank first = rings.groups.first(group);
  const Ring ring{members};
  for (int step = 0; step < members - 1; ++step) {
    const int leaving = ring.behind(me - first, step), arriving = ring.behind(me - first, step + 1);
    if (leaving < rings.groups.size(whose))
      co_yield send(first + ring.next(me - first), rings.riders(whose, leaving, members));
    if (arriving < rings.groups.size(whose))
      co_yield receive(first + ring.previous(me - first), rings.riders(whose, arriving, members));
    co_yield round_mark();
  }
}

/// The blocks of group `leaving` go on to the next group, those of `arriving` come from the one before.
Schedule hop(Rank me, KRing rings, int leaving, int arriving) {
  const Ring ring{rings.groups.count};
  const int group = rings.groups.of(me), members = rings.groups.size(group);
  const int leave = rings.groups.size(leaving), arrive = rings.groups.size(arriving);
  for (int j = me - rings.groups.first(group); j < std::max(leave, arrive); j += members) {
    if (j < leave) co_yield send(rings.host(ring.next(group), j), output(rings.groups.first(leaving) + j));
    if (j < arrive) co_yield receive(rings.host(ring.previous(group), j), output(rings.groups.first(arriving) + j));
    co_yield round_mark();
  }
}

}  // namespace

Schedule allgather_k_ring(Context context) {
  const int most = context.parameter(0, 4);
  const KRing rings{Groups::of_at_most(most, context.size)};
  const Ring ring{rings.groups.count};
  const int group = rings.groups.of(context.me);
  for (int turn = 0; turn < ring.size; ++turn) {
    const int guest = ring.behind(group, turn);
    if (turn > 0) {
      Schedule arrival = hop(context.me, rings, ring.next(guest), guest);
      while (const Step* step = arrival.next()) co_yield *step;
    }
    Schedule spread = go_round(context.me, rings, guest);
    while (const Step* step = spread.next()) co_yield *step;
  }
}

}  // namespace tutti

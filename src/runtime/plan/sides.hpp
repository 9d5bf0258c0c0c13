#pragma once
/// Which sides of a call a rank has, how many blocks each, and which of them tells how long the call is.
#include "runtime/plan/operation.hpp"

namespace tutti::runtime {

/// Blocks that the rank gives and gets.  In place, what lies in the other side is not counted, but for a call that has
/// all it gives in the buffer of what it gets: that is both sides.
struct Sides {
  int send = 0, receive = 0;

  Sides(const Operation& call, Rank me, int size) {
    const Contract& rules = contract(call.collective);
    const auto blocks = [&](const SideContract& side) {
      if (!among(side.ranks, me, call.root)) return 0;
      return side.shape == Shape::row ? size : side.shape == Shape::nothing ? 0 : 1;
    };
    const bool in_place = call.in_place && among(rules.in_place_on, me, call.root);
    if (!in_place || rules.in_place != InPlace::block_in_receive) send = blocks(rules.send);
    if (!in_place || rules.in_place != InPlace::block_in_send) receive = blocks(rules.receive);
  }
};

/// The side whose counts tell how long the call is: the one that has the blocks of all, else the one that there is.
inline const Side& side_of_size(const Operation& call, Rank me) {
  const Contract& rules = contract(call.collective);
  if (rules.send.ranks == Ranks::root) return me == call.root ? call.send : call.receive;
  return rules.reduces || among(rules.receive.ranks, me, call.root) ? call.receive : call.send;
}

}  // namespace tutti::runtime

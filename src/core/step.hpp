#pragma once
/// Steps: all that a schedule can ask for.  A closed sum; every interpreter is one visit.
///
/// Order: a step depends exactly on the earlier steps of its rank whose blocks conflict with its own (read after
/// write, write after read, write after write); messages to one peer are issued in program order, and the j-th
/// message from a to b matches b's j-th receive from a, those in sets of peers left out.  A Round is a mark for
/// counting and drawing, which orders nothing unless it says that it is a fence. Blocks conflict where they share an
/// element, or a token.  A message of tokens is sent though it has no bytes; any other message without elements may be
/// left out, since both sides know that it is empty.
#include <utility>
#include <variant>
#include <vector>

#include "core/block.hpp"

namespace tutti {

/// Declares scratch before its first use.  Positions stand for owners: position i is as large as the block of
/// owner (i + rotate) mod owners.  An anchored area holds positions [first, first + count), one after the other,
/// and a Blocks in it names positions: position i, or part k of position i, lies where it would lie in the row of
/// all positions, less where the area begins.  An area of parts holds parts [part, part + parts) of `of` of position
/// `first`.  A floating area holds any one run of `count` owners, or of `parts` of `of` of owner 0, from its start:
/// it is as large as the largest such run, and a Blocks in it names the run that it holds at the moment, as that
/// run is named elsewhere (owners, or parts of owner 0).  A slot is declared once.
///
/// A learned area is an anchored one whose positions may be of any size: this rank does not know how large other
/// ranks' blocks are (gatherv, scatterv), and gets memory for a position when its size has come, with a sized message
/// or with the one block that a copy puts there.  Whole positions are named in it, and nothing is reduced there.
struct Area {
  int slot = 0;
  bool floating = false;
  int first = 0, count = 1, rotate = 0;
  int part = 0, parts = 1, of = 1;
  Buffer like = Buffer::output;  ///< whose layout gives the sizes: input or output
  bool learned = false;
  bool operator==(const Area&) const = default;
};

/// A rank has as many sets of peers at most, numbered from 0.
inline constexpr int most_sets = 7;
inline constexpr int no_set = -1;

/// Declares a set of peers before its first use, once: each of them sends this rank one message in this set, and as
/// many steps receive from any of them.  So the messages of a set are received in the order in which they arrive.
struct Peers {
  int set = 0;
  std::vector<Rank> ranks;
  bool operator==(const Peers&) const = default;
};

/// A sized message begins with the sizes of the blocks that it names, 64 bits an owner, and is received into learned
/// positions that stand for the same owners.  No other message is received there.
///
/// A message in a set, which its receiver has declared, is not one of the numbered messages from a to b: any step of
/// the set may receive it, and no other step does.
struct Send {
  Rank to;
  BlockList what;
  bool sized = false;
  int set = no_set;  ///< the receiver's
  bool operator==(const Send&) const = default;
};
struct Receive {
  Rank from;
  BlockList into;
  bool sized = false;
  bool operator==(const Receive&) const = default;
};
/// Receives the message of any one peer of the set; each step of the set that of a different one.  The blocks do not
/// depend on the peer, and no step learns which one it was: the result of all steps together is the same in any order.
struct ReceiveAny {
  int set = 0;
  BlockList into;
  bool operator==(const ReceiveAny&) const = default;
};
/// into = from (+) into where `from_left`, else into = into (+) from.  (+) is the operator: left is the lower rank.
struct Reduce {
  Blocks from, into;
  bool from_left = true;
  bool operator==(const Reduce&) const = default;
};
struct Copy {
  BlockList from, into;
  bool operator==(const Copy&) const = default;
};
/// The end of a round.  After a fence no step starts before all earlier ones have ended: so an algorithm limits its
/// messages in flight.  Its result does not depend on it.
struct Round {
  bool fence = false;
  bool operator==(const Round&) const = default;
};

using Step = std::variant<Area, Peers, Send, Receive, ReceiveAny, Reduce, Copy, Round>;

/// Makes room, or names peers: nothing is done.
inline bool declares(const Step& step) {
  return std::holds_alternative<Area>(step) || std::holds_alternative<Peers>(step);
}
/// Where a step that receives puts it; null for any other step.
inline const BlockList* received(const Step& step) {
  if (const auto* receive = std::get_if<Receive>(&step)) return &receive->into;
  if (const auto* receive = std::get_if<ReceiveAny>(&step)) return &receive->into;
  return nullptr;
}

/// Calls `visit(run)` for every run that a step names; a declaration names what it makes room for.
template <class Visit>
void each_run(const Step& step, const Visit& visit) {
  const auto each = [&](const BlockList& list) {
    for (const Blocks& run : list) visit(run);
  };
  if (const auto* area = std::get_if<Area>(&step))
    visit(Blocks{Buffer::scratch, area->slot, area->first, area->count, area->part, area->parts, area->of});
  if (const auto* send = std::get_if<Send>(&step)) each(send->what);
  if (const BlockList* into = received(step)) each(*into);
  if (const auto* reduce = std::get_if<Reduce>(&step)) visit(reduce->from), visit(reduce->into);
  if (const auto* copy = std::get_if<Copy>(&step)) each(copy->from), each(copy->into);
}

inline Step send(Rank to, BlockList what) { return Send{to, std::move(what)}; }
inline Step receive(Rank from, BlockList into) { return Receive{from, std::move(into)}; }
inline Step peers(int set, std::vector<Rank> ranks) { return Peers{set, std::move(ranks)}; }
inline Step send_in(int set, Rank to, BlockList what) { return Send{to, std::move(what), false, set}; }
inline Step receive_any(int set, BlockList into) { return ReceiveAny{set, std::move(into)}; }
/// into = from (+) into: `from` holds the lower ranks.
inline Step reduce_left(Blocks from, Blocks into) { return Reduce{from, into, true}; }
/// into = into (+) from: `from` holds the higher ranks.
inline Step reduce_right(Blocks from, Blocks into) { return Reduce{from, into, false}; }
inline Step copy(BlockList from, BlockList into) { return Copy{std::move(from), std::move(into)}; }
inline Step round_mark() { return Round{}; }
inline Step fence() { return Round{true}; }

/// Scratch shaped like owners [first, first + count) of the output, position i standing for owner i + rotate.
inline Step scratch_area(int slot, int first, int count, int rotate = 0, Buffer like = Buffer::output) {
  return Area{slot, false, first, count, rotate, 0, 1, 1, like};
}
/// Scratch that holds parts [part, part + parts) of `of` of the vector.
inline Step scratch_parts(int slot, int part, int of, int parts) { return Area{slot, false, 0, 1, 0, part, parts, of}; }
/// Scratch that holds any one run of `parts` parts of `of` of the vector.
inline Step floating_parts(int slot, int of, int parts = 1) { return Area{slot, true, 0, 1, 0, 0, parts, of}; }
/// Scratch that holds any one run of `count` owners.
inline Step floating_owners(int slot, int count = 1, Buffer like = Buffer::output) {
  return Area{slot, true, 0, count, 0, 0, 1, 1, like};
}

}  // namespace tutti

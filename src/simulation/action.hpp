#pragma once
/// Actions: what a rank does, in the order in which it does it.
///
/// A schedule leaves the order open where steps do not depend on each other.  The simulated rank decides before it
/// runs, without looking at the time: it takes its steps in the program's order, on one processor.  A receive is posted
/// at its turn, and completed when a later step needs what it brings, at a fence, at the end, or when `least_window`
/// messages are open.  While a step waits for others, the rank goes on to the end of that marked round with what does
/// not depend on them: as far as the least window of an executor reaches (core/schedule.hpp).
#include <cstdint>
#include <vector>

#include "core/schedule.hpp"

namespace tutti::simulation {

/// A million ranks have tens of millions of them: 24 bytes each.
struct Action {
  enum class Kind : std::uint8_t {
    send,      ///< to `peer`; a rendezvous stays open as `open`
    post,      ///< a receive from `peer`, or of a set, which is open as `open` from now on
    complete,  ///< waits for the open message `open`
    receive,   ///< both, one after the other
    settle,    ///< waits for all open messages, in the order in which they come
    reduce,
    copy,
    declare,  ///< a set of `peer` peers
    end
  } kind = Kind::end;
  bool rendezvous = false;
  bool within = false;  ///< the node
  std::int8_t set = no_set;
  Rank peer = -1;
  std::int32_t open = -1;  ///< numbers a rank's messages that are finished later than begun
  std::int32_t step = 0;   ///< of the schedule
  std::int64_t bytes = 0;  ///< of the message, sizes of blocks included, or that are combined or copied
};

/// Messages that ranks send, and the bytes of their blocks.
struct Counts {
  std::int64_t messages = 0, bytes = 0;                  ///< of all ranks
  std::int64_t messages_between = 0, bytes_between = 0;  ///< of these, between nodes

  void add(bool within, std::int64_t payload) {
    ++messages, bytes += payload;
    if (!within) ++messages_between, bytes_between += payload;
  }
  Counts& operator+=(const Counts& more) {
    messages += more.messages, bytes += more.bytes;
    messages_between += more.messages_between, bytes_between += more.bytes_between;
    return *this;
  }
  /// The same of so many times as many ranks.
  void multiply(std::int64_t by) { messages *= by, bytes *= by, messages_between *= by, bytes_between *= by; }
};

}  // namespace tutti::simulation

#pragma once
/// The start of each member's area of the shared memory.
#include <array>
#include <atomic>

#include "node/seats.hpp"
#include "node/stores.hpp"
#include "node/turn.hpp"
#include "node/waiting.hpp"

namespace tutti::node {

/// What lies at the start of a member's area, before its slots.  Two lines each: processors fetch lines in pairs.
struct SlotHeader {
  alignas(128) std::atomic<Turn> progress;
  alignas(128) Bell bell;
  Seat seat;
  std::array<ReadCosts, traffics> costs;
  std::atomic<Turn> newest_ahead;  ///< the turn put into the backlog last
};

}  // namespace tutti::node

#pragma once
/// The start of each member's area of the shared memory.
#include <array>
#include <atomic>

#include "shm/copy/store_policy.hpp"
#include "shm/sync/cpu_balancer.hpp"
#include "shm/sync/turn.hpp"
#include "shm/sync/waiting.hpp"

namespace tutti::shm {

/// What lies at the start of a member's area, before its slots.  Two lines each: processors fetch lines in pairs.
struct SlotHeader {
  alignas(128) std::atomic<Turn> progress;
  alignas(128) Bell bell;
  LastCpu last_cpu;
  std::array<ReadCosts, traffics> costs;
  std::atomic<Turn> newest_ahead;  ///< the turn put into the backlog last
};

}  // namespace tutti::shm

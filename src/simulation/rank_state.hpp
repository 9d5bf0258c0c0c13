#pragma once
/// One rank in the middle of its actions.
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "simulation/inbox.hpp"
#include "simulation/ordering.hpp"

namespace tutti::simulation {

/// A message that a rank has begun and not finished.
struct Open {
  std::int32_t number = 0, step = 0;
  Rank peer = -1;
  std::int8_t set = no_set;
  bool send = false;     ///< a rendezvous of this rank's
  bool settled = false;  ///< `time` is when the data has come (a send: has left)
  bool within = false;
  std::int64_t bytes = 0;
  Stamp time;  ///< until settled: when it was posted
};

/// A schedule that is too long for its actions to be made at once, and the actions at hand.
struct Unmade {
  Ordering ordering;
  std::vector<Action> actions;
  bool ended = false;
};

struct RankState {
  static constexpr Rank nobody = -1, anybody = -2;

  std::unique_ptr<Unmade> unmade;  ///< null where all actions are known
  std::span<const Action> actions;
  std::size_t next = 0;  ///< of the actions
  Stamp clock;
  Rank awaits = nobody;  ///< whose message it waits for; any news, in `anybody`
  bool queued = false, done = false;
  Inbox inbox;
  std::vector<Open> open;                 ///< in the order of the program
  std::vector<std::pair<int, int>> sets;  ///< declared, and how many peers have not been received from
};

}  // namespace tutti::simulation

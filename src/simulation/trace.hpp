#pragma once
/// What ranks did and when, for pictures.
#include <cstdint>
#include <vector>

#include "core/block.hpp"
#include "simulation/time.hpp"

namespace tutti::simulation {

/// A span of one rank's time.  A message's flight is the sender's, from its call to the last byte's arrival.
struct Event {
  enum class Kind : std::uint8_t { send, receive, wait, reduce, copy, flight, node, calc } kind = Kind::send;
  Rank rank = 0, peer = -1;
  std::int32_t step = 0;
  std::int64_t bytes = 0;
  Time begin = 0, end = 0;
};

struct Trace {
  std::size_t most = 1'000'000;  ///< beyond this the simulation ends with an error
  std::vector<Event> events;
};

}  // namespace tutti::simulation

#pragma once
/// What a private communicator keeps from call to call, so that a warm call allocates nothing.
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/arena.hpp"
#include "runtime/wire/pending_requests.hpp"
#include "runtime/wire/schedule_plan.hpp"

namespace tutti::runtime {

/// One step in the window.
struct Place {
  const OrderedStep* step = nullptr;
  const Range* ranges = nullptr;
  std::byte* at = nullptr;         ///< message: where its next chunk lies
  std::int32_t peer = 0, tag = 0;  ///< message: of its next chunk, as in OrderedStep
  std::int64_t left = 0;           ///< message: elements that no MPI call has been made for yet
  std::int64_t length = 0;         ///< message: elements of all of it
  std::byte* bounce = nullptr;     ///< message of several ranges: where they lie one after the other
  std::int64_t bounce_room = 0;
  bool head = false;              ///< sized message: its first chunk is in flight
  std::vector<Range> resolved{};  ///< late step: its ranges with their elements
};

/// Where a space's element 0 lies.
struct Base {
  std::byte* start = nullptr;
  std::int64_t length = 0;  ///< learned positions: elements, or `unknown`
  bool learned = false;
};

struct Workspace {
  Arena arena;
  SchedulePlanCache plans;
  std::array<Place, window_places> places;
  Requests requests;
  std::unique_ptr<Workspace> older;  ///< put aside before this one
  bool in_doubt = false;             ///< a call failed with messages in flight
  std::vector<Base> bases;           ///< by space
};

}  // namespace tutti::runtime

#pragma once
/// A schedule as a stream of bound steps, each with what it must wait for.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/binder.hpp"
#include "core/schedule.hpp"
#include "runtime/wire/window.hpp"

namespace tutti::runtime {

/// A bound step in a window: its place is its number modulo the window's places.
struct OrderedStep : BoundStep {
  std::int32_t tag = 0;           ///< messages: offset from the call's first tag (private_comm.hpp)
  std::uint32_t round = 0;        ///< marks before it
  std::uint64_t after = 0;        ///< places whose steps must be complete: they touch the same elements
  std::uint64_t after_issue = 0;  ///< places whose message must have been issued: same peer, same direction
  std::int64_t first_range = 0;   ///< in the plan
};

/// Pulls a schedule step by step.  Steps that move nothing vanish.
class StepStream {
 public:
  StepStream(const Layouts& layouts, Schedule schedule) : binder_(layouts), schedule_(std::move(schedule)) {}

  /// Pulls the next step into its place, or returns false at the end.  `busy`: places whose steps may still be
  /// incomplete; only these are waited for.  Throws what the schedule throws.
  bool pull(std::uint64_t busy);
  /// The step pulled last, and its ranges: `from`, then `into`.
  const OrderedStep& step() const { return places_[place()].step; }
  std::span<const Range> ranges() const { return places_[place()].ranges; }
  /// Elements of each scratch space declared so far.
  const std::vector<std::int64_t>& areas() const { return binder_.spaces().areas(); }

 private:
  struct Place {
    OrderedStep step;
    std::vector<Range> ranges;
  };
  std::size_t place() const { return static_cast<std::size_t>(pulled_ - 1) % window_places; }
  bool bind(const Step& step, Place& place);
  void order(Place& place, std::uint64_t busy) const;
  std::uint64_t before_fence() const;

  Binder binder_;
  Schedule schedule_;
  std::array<Place, window_places> places_;
  std::int64_t pulled_ = 0, fence_ = 0;  ///< steps pulled, and pulled before the last fence
  std::uint32_t round_ = 0;
};

}  // namespace tutti::runtime

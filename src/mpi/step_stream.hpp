#pragma once
/// Binding: a schedule's steps become steps on ranges of elements, each with what it must wait for.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/schedule.hpp"
#include "mpi/ranges.hpp"
#include "mpi/window.hpp"

namespace tutti::mpi {

struct BoundStep {
  enum class Kind : std::uint8_t { send, receive, reduce_left, reduce_right, copy } kind = Kind::send;
  bool token = false;               ///< a message that only orders: sent without bytes
  bool late = false;                ///< names learned positions: its elements are known when it starts
  bool sized = false;               ///< a message that begins with the elements of each of its ranges
  bool plain = false;               ///< one range a side, of known elements; or tokens
  std::int32_t peer = 0;            ///< messages; `any_peer` where whoever comes first will do
  std::int32_t tag = 0;             ///< messages: which of the call's (wire.hpp)
  std::int32_t from = 0, into = 0;  ///< ranges of each side; a message has one side
  std::uint32_t round = 0;          ///< marks before it
  std::int64_t length = 0;          ///< elements
  std::uint64_t after = 0;          ///< places whose steps must be complete: they touch the same elements
  std::uint64_t after_issue = 0;    ///< places whose message must have been issued: same peer, same direction
  std::int64_t first_range = 0;     ///< in the plan

  bool message() const { return kind == Kind::send || kind == Kind::receive; }
};

inline constexpr std::int32_t any_peer = -1;

/// Pulls a schedule step by step.  Steps that move nothing vanish.
class Binding {
 public:
  Binding(const Layouts& layouts, Schedule schedule) : spaces_(layouts), schedule_(std::move(schedule)) {}

  /// Pulls the next step into its place, or returns false at the end.  `busy`: places whose steps may still be
  /// incomplete; only these are waited for.  Throws what the schedule throws.
  bool pull(std::uint64_t busy);
  /// The step pulled last, and its ranges: `from`, then `into`.
  const BoundStep& step() const { return places_[place()].step; }
  std::span<const Range> ranges() const { return places_[place()].ranges; }
  /// Elements of each scratch space declared so far.
  const std::vector<std::int64_t>& areas() const { return spaces_.areas(); }

 private:
  struct Place {
    BoundStep step;
    std::vector<Range> ranges;
  };
  std::size_t place() const { return static_cast<std::size_t>(pulled_ - 1) % window_places; }
  /// False where the step moves nothing.
  bool bind(const Step& step, Place& place);
  template <class List>
  void append(const List& blocks, Place& place, std::int32_t& count) const;
  void mark(const Round& ended);
  void order(Place& place, std::uint64_t busy) const;
  std::uint64_t before_fence() const;

  Spaces spaces_;
  Schedule schedule_;
  std::array<Place, window_places> places_;
  std::int64_t pulled_ = 0, fence_ = 0;  ///< steps pulled, and pulled before the last fence
  std::uint32_t round_ = 0;
};

}  // namespace tutti::mpi

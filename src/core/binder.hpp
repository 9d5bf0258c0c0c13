#pragma once
/// The binder: turns a step on blocks into a step on ranges of elements.  Executor and verifier share it, so the proof
/// holds for the ranges that run.
#include <cstdint>
#include <vector>

#include "core/spaces.hpp"
#include "core/step.hpp"

namespace tutti {

struct BoundStep {
  enum class Kind : std::uint8_t { send, receive, reduce_left, reduce_right, copy } kind = Kind::send;
  bool token = false;               ///< a message that only orders: sent without bytes
  bool late = false;                ///< names learned positions: its elements are known when it starts
  bool sized = false;               ///< a message that begins with the elements of each of its ranges
  bool plain = false;               ///< one range a side, of known elements; or tokens
  std::int32_t peer = 0;            ///< messages; `any_peer`: any peer of the set
  std::int32_t set = no_set;        ///< messages: the receiver's set of peers
  std::int32_t from = 0, into = 0;  ///< ranges of each side; a message has one side
  std::int64_t length = 0;          ///< elements that are sent, received, copied or combined

  bool message() const { return kind == Kind::send || kind == Kind::receive; }
};

inline constexpr std::int32_t any_peer = -1;

/// For one rank and one call.  Steps must be valid (checked in analysis/bound_programs.hpp): nothing is checked here.
class Binder {
 public:
  explicit Binder(const Layouts& layouts) : spaces_(layouts) {}
  /// Binds the next step; `ranges`: `from`, then `into`.  False if it moves nothing, like declarations and marks.
  bool bind(const Step& step, BoundStep& bound, std::vector<Range>& ranges);
  const Spaces& spaces() const { return spaces_; }

 private:
  template <class List>
  void append(const List& blocks, BoundStep& bound, std::int32_t& count, std::vector<Range>& ranges) const;

  Spaces spaces_;
};

}  // namespace tutti

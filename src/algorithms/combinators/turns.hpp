#pragma once
/// Phases of a composition, one after the other on one rank.
#include "core/schedule.hpp"

namespace tutti {

/// Where a phase's input, or output, lies in the whole.
struct Place {
  Buffer buffer = Buffer::output;
  int slot = 0;  ///< of the composition's scratch
};

inline constexpr Place in_input{Buffer::input}, in_output{Buffer::output};
constexpr Place in_scratch(int slot) { return {Buffer::scratch, slot}; }

/// Hands out the steps of phases.  Scratch slots from 0 to `own` - 1 are the composition's; those of the phases follow.
///
/// Phases may cut blocks into different numbers of parts.  Whether parts of different cuts share elements depends on
/// the number of elements; so a fence comes before the first step that cuts in another way than those before it, and
/// whatever the number, no two such steps are under way together.  Between phases that cut alike, or not at all, there
/// is only the mark of a round: what a later phase can do early, it does.
class Turns {
 public:
  explicit Turns(int own) : slots_(own) {}
  Turns(const Turns&) = delete;

  /// The steps of phase `number`, which tells its sets of peers from those of others on every rank.  Turns must outlive
  /// them.
  Schedule take(int number, Schedule phase, Place input = in_output, Place output = in_output);

 private:
  void note(const Step& step);
  int slots_;          ///< taken so far
  int cut_ = 1;        ///< parts of a block, since the last fence
  bool open_ = false;  ///< the last step did not end a round
};

}  // namespace tutti

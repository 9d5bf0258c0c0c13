#pragma once
/// The contests of one communicator (selection/contest.hpp): a kind of call each, in the program's own calls.
#include <cstdint>
#include <map>

#include "runtime/communicator/state.hpp"
#include "runtime/plan/operation.hpp"
#include "selection/choice.hpp"
#include "selection/contest.hpp"

namespace tutti::runtime {

/// Used at every call of the communicator, on all ranks in the same order.
class Contests {
 public:
  /// The call's contest; null where its choice asks for none, or not all ranks wait for one another in it: then none
  /// may wait for another's times.
  Contest* of(const State& state, const Operation& call, const CallSignature& signature, const Choice& choice);
  /// Who makes the next call of that kind.  Where the trial is over, the ranks first exchange their times: one small
  /// reduction on the communicator itself, where a collective of it stands anyway.  Throws MpiError.
  Contest::Side next(State& state, Contest& contest);
  /// Whether the call whose side was asked for last is timed: then `finish` follows it.
  bool timing() const { return running_ != nullptr; }
  void finish();

 private:
  std::map<std::uint64_t, Contest> all_;
  Contest* running_ = nullptr;
  std::int64_t began_ = 0;
};

}  // namespace tutti::runtime

#pragma once
/// A call under way: a plan that is started, and tested until it is complete.  The same plan, and the same text of the
/// collective, as a call that blocks: it runs in a task, and its waits suspend that.
#include "runtime/plan/call_plan.hpp"
#include "shm/sync/waiting.hpp"
#include "task/task.hpp"

namespace tutti::runtime {

class StartedCall {
 public:
  /// Throws std::bad_alloc.
  StartedCall() = default;
  StartedCall(const StartedCall&) = delete;

  /// Replaces blocking waits in the engines and private communicators of the venue of such calls.  A venue runs one
  /// call at a time.
  Suspend suspension() {
    return {[](void* self) { static_cast<StartedCall*>(self)->wait(); }, this};
  }
  /// So often the waits of a call look again before they suspend it: where its caller has nothing else to do, that
  /// saves the switches.
  void look_again(int times) { looks_ = times; }

  /// Runs a call in the caller instead: each wait calls `idle` until it ends.  Returns the call's code.
  int run(const CallPlan& plan, const Operation& call, const Venue& venue, const Suspend& idle) {
    idle_ = idle;
    const int code = plan.run(call, venue);
    idle_ = {};
    return code;
  }

  /// Starts a call and runs it to its first wait.  Returns whether it is complete.  Plan, call and their data must live
  /// until it is.
  bool start(const CallPlan& plan, const Operation& call, const Venue& venue) {
    plan_ = &plan, call_ = &call, venue_ = venue;
    return task_.start(body, this);
  }
  /// Continues to the next wait.  Returns whether the call is complete; then `code` is its result.
  bool test() { return !task_.running() || task_.resume(); }
  int code() const { return code_; }

 private:
  void wait() {
    if (idle_) return idle_();
    if (looks_ == 0) return task_.suspend();
    --looks_;
    shm::pause();
  }
  static void body(void* self) noexcept {
    auto& started = *static_cast<StartedCall*>(self);
    started.code_ = started.plan_->run(*started.call_, started.venue_);
  }

  Task task_;
  const CallPlan* plan_ = nullptr;
  const Operation* call_ = nullptr;
  Venue venue_;
  int code_ = MPI_SUCCESS;
  int looks_ = 0;
  Suspend idle_;
};

}  // namespace tutti::runtime

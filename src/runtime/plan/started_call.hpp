#pragma once
/// A call under way: a plan that is started, and tested until it is complete.  The same plan, and the same text of the
/// collective, as a call that blocks: it runs in a task, and its waits suspend that.
#include "runtime/plan/call_plan.hpp"
#include "task/task.hpp"

namespace tutti::runtime {

class StartedCall {
 public:
  /// Throws std::bad_alloc.
  StartedCall() = default;
  StartedCall(const StartedCall&) = delete;

  /// What the engines and private communicators of the venue of such calls do where they would wait.  One call at a
  /// time goes on in a venue.
  Suspend suspension() { return task_.suspension(); }

  /// Whether a call of that choice can be started: where the MPI's own collective goes between nodes, it would block.
  static bool can_start(const Choice& choice) {
    return choice.kind == Choice::Kind::node || (choice.kind != Choice::Kind::native && choice.algorithm != nullptr);
  }
  /// Begins with a call, as far as it gets without waiting.  Whether it is complete.  Plan, call and what it points to
  /// live until it is.
  bool start(const CallPlan& plan, const Operation& call, const Venue& venue) {
    plan_ = &plan, call_ = &call, venue_ = venue;
    return task_.start(body, this);
  }
  /// Goes on as far as it gets.  Whether it is complete; then `code` is what it returns.
  bool test() { return !task_.running() || task_.resume(); }
  int code() const { return code_; }

 private:
  static void body(void* self) noexcept {
    auto& started = *static_cast<StartedCall*>(self);
    started.code_ = started.plan_->run(*started.call_, started.venue_);
  }

  Task task_;
  const CallPlan* plan_ = nullptr;
  const Operation* call_ = nullptr;
  Venue venue_;
  int code_ = MPI_SUCCESS;
};

}  // namespace tutti::runtime

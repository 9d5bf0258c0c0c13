#pragma once
/// A task: a function on a stack of its own, which can stop where it waits and go on later.
///
/// One text of a collective serves its blocking and its nonblocking form: in a task, its waits suspend it (suspend.hpp)
/// instead of blocking, and whoever makes progress resumes it.  Starting and resuming cost a switch of stacks each,
/// about 5 ns and no system call.  A task runs on the thread that resumes it, one at a time; nothing in it may depend
/// on thread-local addresses that live across a wait.
#include <cstddef>

#include "task/suspend.hpp"
#include "task/switch.hpp"

namespace tutti {

class Task {
 public:
  using Body = void (*)(void* context) noexcept;
  /// Enough for operators of users and for the MPI underneath, which run on it; pages that no call touches take no
  /// memory.  Below it lies a page that faults.
  static constexpr std::size_t stack_bytes = 256 * 1024;

  /// Throws std::bad_alloc.
  explicit Task(Switching how = best_switching());
  /// A body that has not ended is given up: what lives on its stack is not destroyed.
  ~Task();
  Task(const Task&) = delete;

  /// Runs `body(context)` to its first suspension or its end.  Whether it has ended.  Not while another body runs.
  bool start(Body body, void* context);
  /// Goes on with the body, up to its next suspension or its end.  Whether it has ended.
  bool resume();
  /// Started and not ended.
  bool running() const { return body_ != nullptr; }

  /// In the body: returns once the task is resumed.
  void suspend();
  /// The same, for those who wait in the body.
  Suspend suspension() {
    return {[](void* task) { static_cast<Task*>(task)->suspend(); }, this};
  }

  /// Entered on the task's stack: by the assembly or ucontext.
  [[noreturn]] void run() noexcept;

 private:
  struct Stack;
  Stack* stack_ = nullptr;
  Switching how_;
  Body body_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace tutti

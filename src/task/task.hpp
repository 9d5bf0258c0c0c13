#pragma once
/// A task: a function on a stack of its own, which can suspend where it waits and be resumed later.
///
/// One text of a collective serves its blocking and its nonblocking form: in a task its waits suspend (suspend.hpp)
/// instead of blocking, and the caller that makes progress resumes it.  A start and a resume each cost a switch of
/// stacks, about 5 ns without a system call; blocking calls cost nothing more.  A task runs on the thread that resumes
/// it, one at a time; nothing in it may keep addresses of thread-local variables across a wait.
#include <cstddef>

#include "task/suspend.hpp"
#include "task/switch.hpp"

namespace tutti {

class Task {
 public:
  using Body = void (*)(void* context) noexcept;
  /// Enough for users' operators and for the MPI underneath, which run on it; untouched pages take no memory.  A guard
  /// page lies below.
  static constexpr std::size_t stack_bytes = 256 * 1024;

  /// Throws std::bad_alloc.
  explicit Task(Switching how = best_switching());
  /// A body that has not ended is abandoned: objects on its stack are not destroyed.
  ~Task();
  Task(const Task&) = delete;

  /// Runs `body(context)` to its first suspension or its end.  Returns whether it has ended.  Not while another body
  /// runs.
  bool start(Body body, void* context);
  /// Continues the body, up to its next suspension or its end.  Returns whether it has ended.
  bool resume();
  /// Started and not ended.
  bool running() const { return body_ != nullptr; }

  /// In the body: returns once the task is resumed.
  void suspend();
  /// The same, for waits in the body.
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

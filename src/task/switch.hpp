#pragma once
/// Switching stacks: where this processor is known, a few instructions; elsewhere ucontext, which asks the kernel for
/// the signal mask each time.
#include <cstddef>

namespace tutti {

enum class Switching { instructions, ucontext };
/// The quickest here: bare instructions would fault where returns are checked against a shadow stack (Intel CET).
Switching best_switching();

/// A stack that is left, and how to go back to it.
struct StackContext {
  void* top = nullptr;    ///< of the stack: the saved registers lie there
  void* other = nullptr;  ///< ucontext_t, where that is used

  StackContext() = default;
  ~StackContext();
  StackContext(const StackContext&) = delete;
};

/// `entry(argument)`, which never returns, begins on that stack at the first switch to `into`.  Throws std::bad_alloc.
void prepare(StackContext& into, std::byte* stack, std::size_t bytes, void (*entry)(void*), void* argument, Switching how);

/// Leaves this stack as `from` and goes on where `to` was left.
void switch_context(StackContext& from, StackContext& to);

}  // namespace tutti

#pragma once
/// Switching stacks: a few instructions on x86-64 and aarch64; elsewhere, and under a shadow stack, ucontext, which
/// costs a system call for the signal mask each time.
#include <cstddef>

namespace tutti {

enum class Switching { instructions, ucontext };
/// The fastest that works here: bare instructions would fault where returns are checked against a shadow stack (Intel
/// CET).
Switching best_switching();

/// A suspended stack, and how to resume it.
struct StackContext {
  void* top = nullptr;    ///< of the stack: the saved registers lie there
  void* other = nullptr;  ///< ucontext_t, where that is used

  StackContext() = default;
  ~StackContext();
  StackContext(const StackContext&) = delete;
};

/// `entry(argument)`, which never returns, begins on that stack at the first switch to `into`.  Throws std::bad_alloc.
void prepare(StackContext& into, std::byte* stack, std::size_t bytes, void (*entry)(void*), void* argument,
             Switching how);

/// Suspends this stack as `from` and resumes `to`.
void switch_context(StackContext& from, StackContext& to);

}  // namespace tutti

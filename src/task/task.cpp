#include "task/task.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace tutti {
namespace {

/// Sanitizers follow the stacks of threads and must be told of others.
struct Watched {
#if defined(__SANITIZE_ADDRESS__)
  void* shadow = nullptr;  ///< of the stack that is left
  const void* bottom = nullptr;
  std::size_t bytes = 0;
#endif
#if defined(__SANITIZE_THREAD__)
  void* fiber = nullptr;
#endif
};

}  // namespace

/// The stack, and both ends of the switch.
struct Task::Stack {
  explicit Stack(std::byte* memory) : memory(memory) {
#if defined(__SANITIZE_THREAD__)
    inner.fiber = __tsan_create_fiber(0);
#endif
  }
  ~Stack() {
#if defined(__SANITIZE_THREAD__)
    __tsan_destroy_fiber(inner.fiber);
#endif
    ::munmap(memory - page(), stack_bytes + page());
  }
  Stack(const Stack&) = delete;

  static std::size_t page() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

  void enter() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&outer.shadow, memory, stack_bytes);
#endif
#if defined(__SANITIZE_THREAD__)
    outer.fiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(inner.fiber, 0);
#endif
    switch_context(outside, inside);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(outer.shadow, &inner.bottom, &inner.bytes);
#endif
  }
  void entered() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(inner.shadow, &outer.bottom, &outer.bytes);
#endif
  }
  /// `last`: the body has ended.
  void leave(bool last) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(last ? nullptr : &inner.shadow, outer.bottom, outer.bytes);
#endif
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(outer.fiber, 0);
#endif
    static_cast<void>(last);
    switch_context(inside, outside);
    entered();
  }

  std::byte* memory;
  StackContext outside, inside;
  Watched outer, inner;
};

Task::Task(Switching how) : how_(how) {
  const std::size_t page = Stack::page();
  void* const memory = ::mmap(nullptr, stack_bytes + page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  ::mprotect(memory, page, PROT_NONE);  // a body that needs more faults instead of overwriting memory
  stack_ = new Stack(static_cast<std::byte*>(memory) + page);
}

Task::~Task() { delete stack_; }

bool Task::start(Body body, void* context) {
  body_ = body, context_ = context;
  prepare(
      stack_->inside, stack_->memory, stack_bytes, [](void* task) { static_cast<Task*>(task)->run(); }, this, how_);
  return resume();
}

bool Task::resume() {
  stack_->enter();
  return !running();
}

void Task::suspend() { stack_->leave(false); }

void Task::run() noexcept {
  stack_->entered();
  body_(context_);
  body_ = nullptr;
  stack_->leave(true);
  std::abort();  // an ended task is started again, never resumed
}

}  // namespace tutti

#pragma once
/// A schedule: one rank's lazy program of steps.  A coroutine that yields them.
#include <coroutine>
#include <exception>
#include <utility>

#include "core/step.hpp"

namespace tutti {

/// What a schedule is a function of.  Plain integers only; no bytes, no placement.
struct Parameters {
  /// Values by position, as the catalogue entry lists the parameters (a segment size has become a block count).
  std::array<int, 4> values{};
  int operator[](std::size_t i) const { return values[i]; }
  bool operator==(const Parameters&) const = default;
};

struct Context {
  Rank me = 0;
  int size = 1;
  Rank root = 0;
  Parameters parameters{};

  /// Rank relative to the root, and back.
  Rank relative(Rank rank) const { return rank >= root ? rank - root : rank - root + size; }
  Rank absolute(Rank relative) const { return relative + root < size ? relative + root : relative + root - size; }
};

class Schedule {
 public:
  struct promise_type {
    Step current;
    std::exception_ptr failure;
    Schedule get_return_object() { return Schedule(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(Step step) {
      current = std::move(step);
      return {};
    }
    void return_void() {}
    void unhandled_exception() { failure = std::current_exception(); }
  };

  Schedule(Schedule&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Schedule& operator=(Schedule&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;
  ~Schedule() {
    if (handle_) handle_.destroy();
  }

  /// The next step, or null at the end.  Valid until the next call.
  const Step* next() {
    handle_.resume();
    if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
    return handle_.done() ? nullptr : &handle_.promise().current;
  }

 private:
  explicit Schedule(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace tutti

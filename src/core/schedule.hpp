#pragma once
/// A schedule: one rank's lazy program of steps.  A coroutine that yields them.
///
/// Before the first step.  Which owners' blocks exist in a rank's input (read only) and output (read and written), and
/// whose output holds what the rank itself gives, is the collective's contract (core/contract.hpp).  A step may not
/// touch other owners'.  On every rank a reduce has an output that it may write, non-roots too.
///
/// So before the first step the executor copies the data that moves only from a rank's input to its own output
/// (nothing, in place), gives a non-root of a reduce an accumulator, and keeps a copy where a call in place would
/// overwrite data that is still read: exscan, alltoall and reduce_scatter in place.  In gatherv and scatterv a non-root
/// knows only the size of its own block, the others' arrive with sized messages; in alltoallv/w a rank knows its own
/// row and column.
///
/// After the last step the output holds what the collective says, and nothing else of it has been written, except
/// that a non-root of a reduce may leave anything in its output.
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

  /// The value of a parameter, or `standard` where none that makes sense was given.
  int parameter(std::size_t i, int standard, int least = 1) const {
    return parameters[i] >= least ? parameters[i] : standard;
  }
  /// Rank relative to the root, and back.
  Rank relative(Rank rank) const { return rank >= root ? rank - root : rank - root + size; }
  Rank absolute(Rank relative) const { return relative + root < size ? relative + root : relative + root - size; }
};

/// The least window of an executor: to the end of the marked round of its oldest unfinished step, or that many steps
/// from it on (marks and declarations not counted), whichever is less.  Schedules are free of deadlock under every
/// executor with at least that window.
inline constexpr int least_window = 64;

class Schedule {
 public:
  struct promise_type {
    const Step* current = nullptr;
    std::exception_ptr failure;
    Schedule get_return_object() { return Schedule(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    /// Keeps the address: what is yielded lives in the coroutine's frame until it goes on.  A step that passes through
    /// several schedules, each around another, is never copied.
    std::suspend_always yield_value(const Step& step) noexcept {
      current = &step;
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
    return handle_.done() ? nullptr : handle_.promise().current;
  }

 private:
  explicit Schedule(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace tutti

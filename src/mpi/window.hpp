#pragma once
/// Steps in flight: which may start, as one bit a place.  Admitting and ending a step costs a few instructions for each
/// step that waits for it, and nothing for the others.
#include <array>
#include <bit>
#include <cstdint>

namespace tutti::mpi {

/// Steps in flight at most; a step's place is its number modulo this.
inline constexpr int window_places = 64;

constexpr std::uint64_t bit(std::int64_t place) { return std::uint64_t{1} << place; }
constexpr int place_of(std::int64_t number) { return static_cast<int>(number % window_places); }

/// Calls action(place) for each bit.
template <class Action>
void each_place(std::uint64_t places, Action&& action) {
  for (; places != 0; places &= places - 1) action(std::countr_zero(places));
}

class Window {
 public:
  /// A step takes a place: it waits until the steps at `after` have ended and the messages at `after_issue` have been
  /// handed to MPI.
  void admit(int place, bool message, std::uint64_t after, std::uint64_t after_issue) {
    const std::uint64_t mine = bit(place);
    after &= incomplete_;
    after_issue &= unissued_ & ~after;
    Waiting& step = steps_[static_cast<std::size_t>(place)];
    step = {};
    const auto count = [&](int) { ++step.open; };
    each_place(after, [&](int other) { at(other).on_end |= mine, count(other); });
    each_place(after_issue, [&](int other) { at(other).on_issue |= mine, count(other); });
    incomplete_ |= mine;
    (message ? messages_ : locals_) |= mine;
    (message ? locals_ : messages_) &= ~mine;
    if (message) unissued_ |= mine;
    if (step.open == 0) ready_ |= mine;
  }
  /// The step has been started.
  void start(int place) { ready_ &= ~bit(place); }
  /// The whole message has been handed to MPI.
  void issue(int place) {
    unissued_ &= ~bit(place);
    release(at(place).on_issue);
  }
  void end(int place) {
    incomplete_ &= ~bit(place);
    release(at(place).on_end);
  }

  std::uint64_t incomplete() const { return incomplete_; }
  std::uint64_t ready_messages() const { return ready_ & messages_; }
  std::uint64_t ready_locals() const { return ready_ & locals_; }

 private:
  struct Waiting {
    std::uint64_t on_end = 0, on_issue = 0;  ///< who waits for it
    int open = 0;                            ///< for how many it waits
  };
  Waiting& at(int place) { return steps_[static_cast<std::size_t>(place)]; }
  void release(std::uint64_t& waiting) {
    each_place(waiting, [&](int other) {
      if (--at(other).open == 0) ready_ |= bit(other);
    });
    waiting = 0;
  }
  std::array<Waiting, window_places> steps_;
  std::uint64_t incomplete_ = 0, unissued_ = 0, ready_ = 0, messages_ = 0, locals_ = 0;
};

}  // namespace tutti::mpi

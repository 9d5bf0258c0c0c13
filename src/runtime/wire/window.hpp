#pragma once
/// Steps in flight: which may start, as one bit a place.  Admitting and ending a step costs a few instructions for each
/// step that waits for it, and nothing for the others.
#include <array>
#include <bit>
#include <cstdint>

#include "core/schedule.hpp"

namespace tutti::runtime {

/// Steps in flight at most; a step's place is its number modulo this.
inline constexpr int window_places = 64;
static_assert(window_places >= least_window);

constexpr std::uint64_t bit(std::int64_t place) { return std::uint64_t{1} << place; }
constexpr int place_of(std::int64_t number) { return static_cast<int>(number % window_places); }

/// Calls action(place) for each bit.
template <class Action>
void each_place(std::uint64_t places, Action&& action) {
  for (; places != 0; places &= places - 1) action(std::countr_zero(places));
}

class Window {
 public:
  Window() = default;
  Window(const Window&) = delete;
  /// As that one, whose steps have been admitted and none started.  It must stay.
  void begin_as(const Window& admitted) {
    open_ = admitted.open_;
    on_end_ = admitted.on_end_, on_issue_ = admitted.on_issue_;
    incomplete_ = admitted.incomplete_, unissued_ = admitted.unissued_;
    ready_ = admitted.ready_, messages_ = admitted.messages_;
  }
  /// A step takes a place: it waits until the steps at `after` have ended and the messages at `after_issue` have been
  /// posted to MPI.
  void admit(int place, bool message, std::uint64_t after, std::uint64_t after_issue) {
    const std::uint64_t mine = bit(place);
    after &= incomplete_;
    after_issue &= unissued_ & ~after;
    own_on_end_[at(place)] = own_on_issue_[at(place)] = 0;
    each_place(after, [&](int other) { own_on_end_[at(other)] |= mine; });
    each_place(after_issue, [&](int other) { own_on_issue_[at(other)] |= mine; });
    open_[at(place)] = static_cast<std::uint8_t>(std::popcount(after) + std::popcount(after_issue));
    incomplete_ |= mine;
    if (message)
      messages_ |= mine, unissued_ |= mine;
    else
      messages_ &= ~mine;
    if (open_[at(place)] == 0) ready_ |= mine;
  }
  /// The step has been started.
  void start(int place) { ready_ &= ~bit(place); }
  /// The whole message has been posted to MPI.
  void issue(int place) {
    unissued_ &= ~bit(place);
    release(on_issue_[at(place)]);
  }
  void end(int place) {
    incomplete_ &= ~bit(place);
    release(on_end_[at(place)]);
  }

  std::uint64_t incomplete() const { return incomplete_; }
  std::uint64_t ready_messages() const { return ready_ & messages_; }
  std::uint64_t ready_locals() const { return ready_ & ~messages_; }

 private:
  static std::size_t at(int place) { return static_cast<std::size_t>(place); }
  void release(std::uint64_t waiting) {
    each_place(waiting, [&](int other) {
      if (--open_[at(other)] == 0) ready_ |= bit(other);
    });
  }
  // An array's entry means something for a place that a step has taken.
  std::array<std::uint8_t, window_places> open_;  ///< for how many a step waits
  std::array<std::uint64_t, window_places> own_on_end_, own_on_issue_;
  const std::uint64_t *on_end_ = own_on_end_.data(), *on_issue_ = own_on_issue_.data();  ///< who waits for it
  std::uint64_t incomplete_ = 0, unissued_ = 0, ready_ = 0, messages_ = 0;
};

}  // namespace tutti::runtime

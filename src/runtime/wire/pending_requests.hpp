#pragma once
/// Waiting for messages without holding the processor: poll, and after a while yield between polls.  MPI libraries spin
/// inside their waits (MPICH never yields), which costs a time slice with more ranks than processors.
#include <mpi.h>
#include <sched.h>

#include <array>
#include <cstdint>

#include "runtime/wire/step_stream.hpp"
#include "task/suspend.hpp"

namespace tutti::runtime {

/// Backoff after fruitless polls: after some of them each further one yields; in a task each one suspends at once.
class Backoff {
 public:
  explicit Backoff(int polls, Suspend suspend = {}) : polls_(polls), suspend_(suspend) {}
  void found() { fruitless_ = 0; }
  void fruitless() {
    if (suspend_)
      suspend_();
    else if (fruitless_ < polls_)
      ++fruitless_;
    else
      sched_yield();
  }

 private:
  int polls_, fruitless_ = 0;
  Suspend suspend_;
};

/// Returns when that one request has ended.  Throws MpiError.
void end(MPI_Request& request, Backoff patience);

/// The pending requests of one call, each with its place in the window.
class Requests {
 public:
  bool empty() const { return count_ == 0; }
  /// At most one request a place.
  void add(MPI_Request request, int place) {
    requests_[static_cast<std::size_t>(count_)] = request;
    places_[static_cast<std::size_t>(count_)] = place;
    ++count_;
  }
  /// Polls once, while there is other work, and calls `complete(place, source)` for each that has ended, with a
  /// receive's source.  Throws MpiError.
  template <class Complete>
  void look(Complete&& complete) {
    report(test(), complete);
  }
  /// As above, where there is nothing else to do: returns with none completed, or waits.
  template <class Complete>
  void await(Backoff& patience, Complete&& complete) {
    report(wait(patience), complete);
  }
  /// After a failure: frees all requests; those at the places of `receives` are cancelled, so that nothing more is
  /// written to the user's memory.
  void abandon(std::uint64_t receives) noexcept;

 private:
  std::size_t slot(int i) const { return static_cast<std::size_t>(indices_[static_cast<std::size_t>(i)]); }
  /// How many ended; `indices_` says which.
  int test();
  int wait(Backoff& patience);
  template <class Complete>
  void report(int ended, Complete&& complete) {
    for (int i = 0; i < ended; ++i) done_[static_cast<std::size_t>(i)] = places_[slot(i)];
    compact(ended);
    for (int i = 0; i < ended; ++i)
      complete(done_[static_cast<std::size_t>(i)], statuses_[static_cast<std::size_t>(i)].MPI_SOURCE);
  }
  void compact(int ended);

  int count_ = 0;
  std::array<MPI_Request, window_places> requests_;
  std::array<int, window_places> places_, indices_, done_;
  std::array<MPI_Status, window_places> statuses_;
};

}  // namespace tutti::runtime

#pragma once
/// When something that serves one message at a time is busy: a network card, a link.
///
/// Messages do not ask in the order of time, since ranks are advanced one after another.  Each gets the first gap that
/// is long enough for it, so that one that asks late may still go first.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "simulation/time.hpp"

namespace tutti::simulation {

class Reservations {
 public:
  /// Remembers so many busy intervals; what lies between the oldest ones counts as busy then.
  static constexpr std::size_t most = 64;

  /// The earliest begin, from `ready` on, of `length` free time, which is busy from then on.  Nobody will ask for times
  /// before `now` any more.
  Time reserve(Time ready, Time length, Time now = 0) {
    if (length <= 0) return ready;
    ready = std::max(ready, since_);
    if (busy_.size() >= some) forget_before(now);
    if (busy_.empty() || ready > busy_.back().end) {
      append({ready, ready + length});
      return ready;
    }
    if (ready == busy_.back().end) {
      busy_.back().end += length;
      return ready;
    }
    return squeeze_in(ready, length);
  }
  void clear() { busy_.clear(); }

 private:
  struct Interval {
    Time begin = 0, end = 0;
  };

  void append(const Interval& interval) {
    if (busy_.size() == most) forget();
    busy_.push_back(interval);
  }
  void forget_before(Time now) {
    std::size_t past = 0;
    while (past < busy_.size() && busy_[past].end <= now) ++past;
    if (past == 0) return;
    since_ = busy_[past - 1].end;
    busy_.erase(busy_.begin(), busy_.begin() + static_cast<std::ptrdiff_t>(past));
  }
  void forget() {
    busy_[1].begin = busy_[0].begin;
    busy_.erase(busy_.begin());
  }
  Time squeeze_in(Time ready, Time length) {
    auto next = std::partition_point(busy_.begin(), busy_.end(), [&](const Interval& one) { return one.end < ready; });
    Time begin = ready;
    while (next != busy_.end() && next->begin < begin + length) begin = std::max(begin, next->end), ++next;
    const bool joins_before = next != busy_.begin() && std::prev(next)->end == begin;
    const bool joins_after = next != busy_.end() && next->begin == begin + length;
    if (joins_before && joins_after) {
      std::prev(next)->end = next->end;
      busy_.erase(next);
    } else if (joins_before) {
      std::prev(next)->end += length;
    } else if (joins_after) {
      next->begin = begin;
    } else {
      busy_.insert(next, {begin, begin + length});
      if (busy_.size() > most) forget();
    }
    return begin;
  }

  static constexpr std::size_t some = 4;
  Time since_ = 0;              ///< what was before is forgotten
  std::vector<Interval> busy_;  ///< rising, apart from one another
};

}  // namespace tutti::simulation

#pragma once
/// A member that cannot do its part of a call *forfeits* it: it takes the same turns, copies nothing, and its posts are
/// `hollow` and `failed`.  A member that awaits such a post marks its own later posts of that call as failed, and
/// reports the failure at the end.
#include <utility>

#include "shm/copy/store_policy.hpp"

namespace tutti::shm {

class Forfeits {
 public:
  /// In a note: the slot holds no data; the call has failed here.
  static constexpr Note hollow = 1 << 8, failed = 1 << 9;

  /// Begins or ends forfeiting my part of the calls.
  void forfeit(bool yes) { forfeits_ = yes, marks_ = yes ? hollow | failed : 0; }
  bool forfeits() const { return forfeits_; }
  /// Nobody else depends on what I forfeit in this call.
  void forfeit_for_me_alone() { marks_ = 0; }
  /// At the end of a call: whether a member whose posts I have awaited has failed in it.
  bool take_failure() {
    if (marks_ == 0 && !forfeits_) [[likely]]
      return false;
    return std::exchange(marks_, forfeits_ ? hollow | failed : 0) != 0;
  }

 protected:
  void hear(Note note) { marks_ |= note & failed; }

  Note marks_ = 0;         ///< of all that I post in this call
  bool forfeits_ = false;  ///< my part of it
};

}  // namespace tutti::shm

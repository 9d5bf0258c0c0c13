#pragma once
/// Calls in two halves: a nonblocking call posts what others wait for when it is started, and takes the rest when the
/// program waits.  So short calls need no task of their own.
///
/// The text of a collective is the same: where it posts it asks `gives`, and before it first waits it returns unless it
/// `takes`.  The second half numbers its turns as the first has done.
#include "shm/group.hpp"
#include "shm/sync/turn.hpp"

namespace tutti::shm {

class Halves {
 public:
  bool gives() const { return half_ != Half::take; }
  bool takes() const { return half_ != Half::give; }

 protected:
  /// The next call's half.  `last`: turn taken last; returns the one from which the call goes on.
  Turn choose(Half half, Turn last) {
    half_ = half;
    if (half == Half::give) before_ = last;
    return half == Half::take ? before_ : last;
  }

 private:
  Half half_ = Half::both;
  Turn before_ = 0;
};

}  // namespace tutti::shm

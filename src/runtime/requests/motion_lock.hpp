#pragma once
/// Who may move calls: one of the program's threads, or the ticker.
///
/// The program's side must not pay for it: a locked instruction after a collective's post waits until the post has left
/// the store buffer (100 ns and more), where a plain store does not.  Where at most one thread at a time calls the MPI
/// (all levels but MPI_THREAD_MULTIPLE) the program's side stores one flag and reads the other, and the ticker pays for
/// both sides' order by membarrier(2).  Elsewhere it is an ordinary lock.
namespace tutti::runtime::motion {

/// Of the program's threads.
class Lock {
 public:
  Lock();
  ~Lock();
  Lock(const Lock&) = delete;
  /// Does not wait for the ticker, or for another thread.
  static bool try_enter();
  static void leave();
};

/// By the ticker, which never waits.
bool ticker_enters();
void ticker_leaves();

}  // namespace tutti::runtime::motion

#pragma once
/// Writing files under RLIMIT_FSIZE (ulimit -f), which counts for shared memory too.
#include <signal.h>
#include <time.h>

namespace tutti::shm {

/// While it lives, writes beyond the limit fail with EFBIG in this thread, and no SIGXFSZ ends the program.
class QuietFileLimit {
 public:
  QuietFileLimit() {
    sigset_t pending;
    sigpending(&pending);
    theirs_ = sigismember(&pending, SIGXFSZ) == 1;
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~QuietFileLimit() {
    const timespec at_once{};
    if (!theirs_) sigtimedwait(&signal_, nullptr, &at_once);  // ours, if there is one
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  QuietFileLimit(const QuietFileLimit&) = delete;

 private:
  sigset_t signal_{}, before_{};
  bool theirs_ = false;  ///< the program blocks the signal, and one waits
};

}  // namespace tutti::shm

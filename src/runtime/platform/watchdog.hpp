#pragma once
/// Tells the user when blocking calls of the MPI library take too long, while they go on.
#include <functional>
#include <memory>
#include <string>

namespace tutti::runtime {

/// Seconds of waiting before the user is told.  Each rank's own affair: it changes nothing but the message.
double watchdog_seconds();

/// From its making to its end a thread of its own sleeps.  After a sixth of patience it says what `early` finds out, if
/// anything; `late(seconds)` is said once when patience is over.  About
/// 25 us.  A timer would be cheaper, but the C library's helper for SIGEV_THREAD stays for good, and a process with two
/// threads may not unshare or enter a user namespace; a signal would need a handler of ours in the user's program.
class Watchdog {
 public:
  using Finding = std::function<std::string(double seconds)>;
  Watchdog(Finding early, Finding late);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;

 private:
  struct Sentry;
  std::unique_ptr<Sentry> sentry_;
};

}  // namespace tutti::runtime

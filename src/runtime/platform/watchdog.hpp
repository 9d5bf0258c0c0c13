#pragma once
/// Reports blocking calls of the MPI library that take too long, while they run.
#include <functional>
#include <memory>
#include <string>

namespace tutti::runtime {

/// Seconds of waiting before the user is told.  Each rank's own affair: it changes nothing but the message.
double watchdog_seconds();

/// A thread of its own sleeps while it lives.  After a sixth of the time it reports what `early` finds, if anything; at
/// the end of the time it reports `late(seconds)` once.  About 25 us.  A timer would be cheaper, but the C library's
/// helper for SIGEV_THREAD stays for good, and a process with two threads may not unshare or enter a user namespace; a
/// signal would need a handler of ours in the user's program.
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

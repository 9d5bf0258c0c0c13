/// SimGrid itself reports a deadlock, with a list of who waits for whom.  A timer would be wrong: an hour of this
/// machine's time may be a millisecond of simulated time.
#include "runtime/platform/watchdog.hpp"

#include <limits>

namespace tutti::runtime {

struct Watchdog::Sentry {};

double watchdog_seconds() { return std::numeric_limits<double>::infinity(); }

// NOLINTNEXTLINE(performance-unnecessary-value-param): as elsewhere, where it is kept
Watchdog::Watchdog(Finding, Finding) {}

Watchdog::~Watchdog() = default;

}  // namespace tutti::runtime

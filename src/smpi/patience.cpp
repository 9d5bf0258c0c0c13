/// No rank waits unseen: SimGrid stops with a list of who waits for whom when nothing can go on.  And an hour of this
/// machine's time may be a millisecond of theirs, so that a timer would tell lies.
#include "mpi/patience.hpp"

#include <limits>

namespace tutti::mpi {

struct Watch::Sentry {};

double patience() { return std::numeric_limits<double>::infinity(); }

// NOLINTNEXTLINE(performance-unnecessary-value-param): as elsewhere, where it is kept
Watch::Watch(Finding, Finding) {}

Watch::~Watch() = default;

}  // namespace tutti::mpi

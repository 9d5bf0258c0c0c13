#pragma once
/// A setting for tests of the method itself: one variant is slowed down by a known factor, which the comparison must
/// find.
#include <string>

namespace tutti::bench {

/// By which part of its time a call of that subject takes longer in the first of the two variants: 0.05 where
/// TUTTI_BENCH_SLOWER says bcast:0.05 (of several, with commas), else 0.  Throws std::invalid_argument.
double slowdown_of(const std::string& subject);

}  // namespace tutti::bench

#pragma once
/// Work whose length is known: what programs do between calls.
#include <cstdint>

#include "bench/backend/global_clock.hpp"
#include "bench/backend/team.hpp"

namespace tutti::bench {

/// Floating-point operations each of which needs the one before: they take as long whatever the caches hold.
void compute(std::int64_t operations);

/// So many that an undisturbed rank computes for that long.  Collective; equal on all ranks.
std::int64_t operations_for(double seconds, Team& team, const GlobalClock& clock);

}  // namespace tutti::bench

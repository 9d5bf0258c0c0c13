#pragma once
/// What copying costs one rank that is alone.
#include <cstdint>
#include <vector>

#include "bench/backend/team.hpp"
#include "bench/cache_mode.hpp"

namespace tutti::bench {

/// Disturbances only lengthen a sample, and a lower bound must not be too long.
double lower_quartile(std::vector<double>& values);

/// Whether caches hold a call's buffers when it begins, as far as they are large enough.
bool kept_in_caches(CacheMode mode);

/// Seconds of a copy of so many bytes by rank 0 while the others sleep, in buffers that caches keep or that are others
/// each time, as many as the calls of a node have.  Collective; the same on all ranks.
double copy_time(Team& team, std::int64_t bytes, bool kept);

}  // namespace tutti::bench

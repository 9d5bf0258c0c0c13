#include "bench/caches.hpp"

#include "shm/sync/topology.hpp"

namespace tutti::bench {

std::int64_t last_level_caches() {
  constexpr std::int64_t unknown = std::int64_t{32} << 20;
  static const std::int64_t found = shm::bytes_of_caches();
  return found > 0 ? found : unknown;
}

}  // namespace tutti::bench

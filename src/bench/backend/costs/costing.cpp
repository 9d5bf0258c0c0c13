#include "bench/backend/costs/costing.hpp"

#include "bench/backend/costs/copy_time.hpp"
#include "bench/backend/costs/gauge.hpp"

namespace tutti::bench {

ExitCosts Costing::costs(const Case& what, const ExitCall& call) {
  ExitCosts found;
  for (Rank rank = 0; rank < call.ranks; ++rank) {
    const std::int64_t bytes = own_bytes(call, rank);
    if (!found.copies.contains(bytes)) found.copies[bytes] = copy(bytes, kept_in_caches(what.cache));
  }
  found.apart = 2 * clock_.error();  // each of two ranks' clocks is as far from rank 0's
  found.reading = clock_.cost();
  if (!team_.oversubscribed()) return found;
  for (int rank = 0; rank < team_.size(); ++rank) found.hosts.push_back(team_.host_of(rank));
  found.cpus = team_.cpus();
  found.switching = switching();
  return found;
}

double Costing::copy(std::int64_t bytes, bool kept) {
  const auto [place, fresh] = copies_.try_emplace({bytes, kept}, 0);
  if (fresh) place->second = copy_time(team_, bytes, kept);
  return place->second;
}

/// 0, which allows for nothing, where ranks are on several nodes or cannot share memory.
double Costing::switching() {
  if (!switching_) switching_ = Gauge::possible(team_) ? Gauge(team_).switching() : 0;
  return *switching_;
}

}  // namespace tutti::bench

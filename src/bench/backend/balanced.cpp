#include "bench/backend/balanced.hpp"

#include <algorithm>
#include <array>

#include "bench/backend/computing.hpp"

namespace tutti::bench {

namespace {

void spin_for(double seconds, const GlobalClock& clock) {
  const double end = clock.now() + seconds;
  while (clock.now() < end) {
  }
}

void add(Imbalance& found, std::span<const double> arrivals, std::span<const int> leaders) {
  found.spreads.push_back(spread_of(arrivals, leaders));
  const double first = *std::min_element(arrivals.begin(), arrivals.end());
  for (std::size_t rank = 0; rank < arrivals.size(); ++rank) found.after_first[rank].push_back(arrivals[rank] - first);
}

}  // namespace

Imbalance run_balanced(Team& team, const GlobalClock& clock, Start& start, SampleFile& samples, double work,
                       double seconds) {
  constexpr std::uint32_t fewest = 10, most = 10000;
  const double delay = delay_of(team.rank());
  const std::int64_t operations = operations_for(work, team, clock);
  std::vector<int> leaders;
  for (int rank = 0; rank < team.size(); ++rank) leaders.push_back(team.leader_of(rank));
  Imbalance found{team.size(), 0, work, {}, std::vector<std::vector<double>>(leaders.size())};
  for (int rank = 0; rank < team.size(); ++rank) found.nodes += team.leader_of(rank) == rank ? 1 : 0;

  const double limit = now() + seconds;
  std::array<double, 1> over = {0};
  for (std::uint32_t repetition = 0; repetition < fewest || (over[0] == 0 && repetition < most); ++repetition) {
    const double late = start();
    const double begin = clock.now();
    compute(operations);
    if (delay > 0) spin_for(delay, clock);
    const double end = clock.now();
    samples.keep({0, repetition, clock.global(begin), clock.global(end), late});
    samples.flush();
    const std::array<double, 1> mine = {clock.global(end)};
    add(found, team.table(mine), leaders);
    over[0] = now() > limit ? 1 : 0;
    team.maximum(over);
  }
  samples.flush(true);
  return found;
}

}  // namespace tutti::bench

#include "bench/imbalance.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace tutti::bench {

Spread spread_of(std::span<const double> arrivals, std::span<const int> leaders) {
  constexpr double never = std::numeric_limits<double>::max();
  std::vector<double> first(arrivals.size(), never), last(arrivals.size(), -never);  // by the node's leader
  for (std::size_t rank = 0; rank < arrivals.size(); ++rank) {
    const auto node = static_cast<std::size_t>(leaders[rank]);
    first[node] = std::min(first[node], arrivals[rank]);
    last[node] = std::max(last[node], arrivals[rank]);
  }
  Spread spread;
  double earliest = never, latest = -never, end = -never;
  for (std::size_t node = 0; node < arrivals.size(); ++node) {
    if (first[node] == never) continue;
    spread.inside = std::max(spread.inside, last[node] - first[node]);
    earliest = std::min(earliest, first[node]);
    latest = std::max(latest, first[node]);
    end = std::max(end, last[node]);
  }
  spread.between = latest - earliest;
  spread.all = end - earliest;
  return spread;
}

double delay_of(int rank) {
  const char* const text = std::getenv("TUTTI_BENCH_DELAY");
  double found = 0;
  std::istringstream list(text ? text : "");
  for (std::string item; std::getline(list, item, ',');) {
    std::istringstream words(item);
    int of = -1;
    double delay = -1;
    char colon = 0;
    if (!(words >> of >> colon >> delay) || colon != ':' || of < 0 || !(delay >= 0))
      throw std::invalid_argument("TUTTI_BENCH_DELAY: '" + item + "' is not RANK:SECONDS, such as 1:0.002");
    if (of == rank) found = delay;
  }
  return found;
}

}  // namespace tutti::bench

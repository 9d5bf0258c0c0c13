#include "bench/imbalance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace tutti::bench {

namespace {

using Json = nlohmann::ordered_json;

double microseconds(double seconds) { return std::round(seconds * 1e9) / 1e3; }

Json summary_of(const std::vector<Spread>& spreads, double Spread::*member) {
  std::vector<double> values;
  for (const Spread& spread : spreads) values.push_back(spread.*member);
  const Summary summary = summarise(std::move(values));
  return {{"median_us", microseconds(summary.median)}, {"ci_low", microseconds(summary.low)},
          {"ci_high", microseconds(summary.high)},     {"p90", microseconds(summary.p90)},
          {"p99", microseconds(summary.p99)},          {"max", microseconds(summary.most)}};
}

}  // namespace

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

std::string to_json(const Imbalance& imbalance) {
  Json each = Json::array();
  for (const std::vector<double>& rank : imbalance.after_first) each.push_back(microseconds(summarise(rank).median));
  return Json{{"event", "imbalance"},
              {"ranks", imbalance.ranks},
              {"nodes", imbalance.nodes},
              {"work_us", microseconds(imbalance.work)},
              {"repetitions", imbalance.spreads.size()},
              {"all", summary_of(imbalance.spreads, &Spread::all)},
              {"inside", summary_of(imbalance.spreads, &Spread::inside)},
              {"between", summary_of(imbalance.spreads, &Spread::between)},
              {"after_first_us", each}}
      .dump();
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

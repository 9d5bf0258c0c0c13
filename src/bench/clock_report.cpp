#include "bench/clock_report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tutti::bench {

namespace {

using Json = nlohmann::ordered_json;

double rounded(double value, double unit) { return std::round(value * unit * 1e4) / 1e4; }

}  // namespace

double ClockReport::largest(double ClockError::*member) const {
  double most = 0;
  for (const ClockError& rank : ranks) most = std::max(most, std::abs(rank.*member));
  return most;
}

std::string to_json(const ClockReport& report) {
  constexpr double micro = 1e6;
  Json ranks = Json::array();
  for (const ClockError& each : report.ranks) {
    Json row{{"rank", each.rank},
             {"offset_us", rounded(each.offset, micro)},
             {"drift_ppm", rounded(each.drift, micro)},
             {"error_us", rounded(each.error, micro)},
             {"uncertainty_us", rounded(each.uncertainty, micro)},
             {"second_us", rounded(each.second, micro)}};
    if (report.one_machine) row["known_us"] = rounded(each.known, micro);
    ranks.push_back(std::move(row));
  }
  Json line{{"event", "clock"},
            {"when", report.when},
            {"source", report.source},
            {"method", report.shared ? "shared" : "hca3"},
            {"clock_ns", std::round(report.cost * 1e10) / 10},
            {"seconds", rounded(report.seconds, 1)},
            {"error_us", rounded(report.largest(&ClockError::error), micro)},
            {"uncertainty_us", rounded(report.largest(&ClockError::uncertainty), micro)},
            {"second_us", rounded(report.largest(&ClockError::second), micro)}};
  if (report.one_machine) line["known_us"] = rounded(report.largest(&ClockError::known), micro);
  line["ranks"] = std::move(ranks);
  return line.dump();
}

}  // namespace tutti::bench

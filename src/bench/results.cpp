#include "bench/results.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tutti::bench {

namespace {

using Json = nlohmann::ordered_json;

/// Microseconds to the picosecond: finer than any clock, and short in text.
double microseconds(double seconds) { return std::round(seconds * 1e12) / 1e6; }

/// Foreign bytes (a library's version text) must not end a measurement.
std::string line(const Json& object) { return object.dump(-1, ' ', false, Json::error_handler_t::replace); }

void add_case(Json& object, const Case& what) {
  object["collective"] = subject_of(what);
  object["size"] = what.bytes;
  if (what.arrival) object["arrival"] = std::string(name(what.arrival.pattern)) + " " + what.arrival.skew;
  if (has_buffers(what)) object["cache"] = name(what.cache);
}

void add_arrivals(Json& object, const Arrivals& arrivals) {
  const double apart = summarise(arrivals.apart).median;
  object["skew_us"] = microseconds(arrivals.skew);
  object["apart_us"] = microseconds(apart);
  object["mean_wait_us"] = microseconds(summarise(arrivals.wait).median);
  object["total_us"] = microseconds(summarise(arrivals.total).median);
  object["message_us"] = microseconds(arrivals.message);
  if (arrivals.message > 0) object["imbalance_factor"] = std::round(1e3 * apart / arrivals.message) / 1e3;
}

/// Of the rows of a picture no more than a screen shows: of more ranks, evenly chosen ones.
std::vector<std::size_t> shown_ranks(std::size_t ranks) {
  constexpr std::size_t most = 256;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < std::min(ranks, most); ++i)
    shown.push_back(ranks <= most ? i : i * (ranks - 1) / (most - 1));
  return shown;
}

/// Microseconds after the first arrival.
Json stay_of(const Stay& stay) {
  const double first = *std::min_element(stay.arrivals.begin(), stay.arrivals.end());
  const double last = *std::max_element(stay.arrivals.begin(), stay.arrivals.end());
  Json object{{"repetition", stay.repetition}, {"last_arrival_us", microseconds(last - first)}};
  const std::vector<std::size_t> shown = shown_ranks(stay.arrivals.size());
  object["ranks"] = shown;
  const auto add = [&](const char* name, const std::vector<double>& moments) {
    Json column = Json::array();
    for (const std::size_t rank : shown) column.push_back(microseconds(moments[rank] - first));
    object[name] = std::move(column);
  };
  add("arrival_us", stay.arrivals);
  add("exit_us", stay.exits);
  add("earliest_us", stay.earliest);
  return object;
}

void add_waits(Json& object, const Waits& waits) {
  object["avoidable_us"] = microseconds(summarise(waits.avoidable()).median);
  object["avoidable_error_us"] = microseconds(waits.error());
  Json copies = Json::object();
  for (const auto& [bytes, seconds] : waits.costs().copies) copies[std::to_string(bytes)] = microseconds(seconds);
  object["own_copy_us"] = std::move(copies);
  if (!waits.costs().hosts.empty()) object["own_switch_us"] = microseconds(waits.costs().switching);
  object["stay"] = stay_of(waits.usual());
}

const char* name_of(Timed timed) {
  if (timed == Timed::first_to_last) return "first_to_last";
  return timed == Timed::slowest_rank ? "slowest_rank" : "after_last_arrival";
}

void add_messages(Json& object, const Messages& messages) {
  object["rounds"] = messages.rounds;
  object["volume"] = messages.volume;
}

void add_overlap(Json& object, const Overlap& overlap, double pure) {
  const double together = summarise(overlap.together).median, compute = summarise(overlap.compute).median;
  object["together_us"] = microseconds(together);
  object["compute_us"] = microseconds(compute);
  object["overlap_percent"] = std::round(1e3 * overlapped(pure, compute, together)) / 10;
}

Json spread_summary(const std::vector<Spread>& spreads, double Spread::*member) {
  std::vector<double> values;
  for (const Spread& spread : spreads) values.push_back(spread.*member);
  const Summary summary = summarise(std::move(values));
  return {{"median_us", microseconds(summary.median)}, {"ci_low", microseconds(summary.low)},
          {"ci_high", microseconds(summary.high)},     {"p90", microseconds(summary.p90)},
          {"p99", microseconds(summary.p99)},          {"max", microseconds(summary.most)}};
}

/// Offsets in microseconds, drifts in parts per million: no clock knows them to more than four places.
double millionths(double value) { return std::round(value * 1e10) / 1e4; }

}  // namespace

double overlapped(double pure, double compute, double together) {
  const double least = std::min(pure, compute);
  return least > 0 ? std::clamp((pure + compute - together) / least, 0.0, 1.0) : 0;
}

std::string to_json(const Environment& e) {
  return line(Json{{"event", "environment"},
                   {"mpi_version", e.mpi_version},
                   {"mpi_library", e.mpi_path},
                   {"backend", e.backend},
                   {"tutti_version", e.tutti_version},
                   {"host", e.host},
                   {"ranks", e.ranks},
                   {"ranks_on_node", e.ranks_on_node},
                   {"cpus", e.cpus},
                   {"sync", e.sync},
                   {"clock_ns", std::round(e.clock_ns * 10) / 10},
                   {"nodes", e.nodes}});
}

std::string start_to_json(const Case& what, std::size_t index, std::size_t total) {
  Json object{{"event", "start"}};
  add_case(object, what);
  object["index"] = index;
  object["total"] = total;
  return line(object);
}

std::string to_json(const Result& result, int ranks) {
  const Summary summary = summarise(result.seconds, result.resolution);
  Json object{{"event", "result"}};
  add_case(object, result.what);
  object.update(Json{{"ranks", ranks},
                     {"variant", result.variant},
                     {"choice", result.choice},
                     {"repetitions", summary.count},
                     {"batch", result.batch},
                     {"buffer_sets", result.sets},
                     {"footprint", result.footprint},
                     {"late", result.late},
                     {"wrong", result.wrong},
                     {"tcp_timed_out", result.timed_out},
                     {"timed", name_of(result.timed)},
                     {"median_us", microseconds(summary.median)},
                     {"ci_low", microseconds(summary.low)},
                     {"ci_high", microseconds(summary.high)},
                     {"p90", microseconds(summary.p90)},
                     {"p99", microseconds(summary.p99)},
                     {"min", microseconds(summary.least)},
                     {"max", microseconds(summary.most)},
                     {"cell", result.cell}});
  if (result.what.arrival) add_arrivals(object, result.arrivals);
  if (!result.arrivals.waits.empty()) add_waits(object, result.arrivals.waits);
  if (result.messages) add_messages(object, *result.messages);
  if (!result.overlap.together.empty()) add_overlap(object, result.overlap, summary.median);
  return line(object);
}

Bound between(const Bound& before, const Bound& after) {
  Bound mean = before;
  mean.flag = std::sqrt(before.flag * after.flag);
  mean.switching = std::sqrt(before.switching * after.switching);
  mean.copy = std::sqrt(before.copy * after.copy);
  return mean;
}

std::string to_json(const Bound& bound) {
  return line(Json{{"event", "bound"},
                   {"collective", name(bound.what.collective)},
                   {"size", bound.what.bytes},
                   {"bound_us", microseconds(bound.seconds())},
                   {"flags", bound.flags},
                   {"flag_us", microseconds(bound.flag)},
                   {"switches", bound.switches},
                   {"switch_us", microseconds(bound.switching)},
                   {"copied", bound.copied},
                   {"copy_us", microseconds(bound.copy)}});
}

std::string to_json(const NetworkCounters& counters) {
  return line(Json{
      {"event", "network"}, {"tcp_timeouts", counters.timeouts}, {"tcp_retransmissions", counters.retransmissions}});
}

std::string to_json(const ClockReport& report) {
  Json ranks = Json::array();
  for (const ClockError& each : report.ranks) {
    Json row{{"rank", each.rank},
             {"offset_us", millionths(each.offset)},
             {"drift_ppm", millionths(each.drift)},
             {"drift_within_ppm", millionths(each.drift_within)},
             {"error_us", millionths(each.error)},
             {"uncertainty_us", millionths(each.uncertainty)},
             {"second_us", millionths(each.second)}};
    if (report.one_machine) row["known_us"] = millionths(each.known);
    ranks.push_back(std::move(row));
  }
  Json object{{"event", "clock"},
              {"when", report.when},
              {"source", report.source},
              {"method", report.shared ? "shared" : "hca3"},
              {"clock_ns", std::round(report.cost * 1e10) / 10},
              {"seconds", std::round(report.seconds * 1e4) / 1e4},
              {"error_us", millionths(report.largest(&ClockError::error))},
              {"uncertainty_us", millionths(report.largest(&ClockError::uncertainty))},
              {"second_us", millionths(report.largest(&ClockError::second))}};
  if (report.one_machine) object["known_us"] = millionths(report.largest(&ClockError::known));
  object["ranks"] = std::move(ranks);
  return line(object);
}

std::string to_json(const Imbalance& imbalance) {
  Json each = Json::array();
  for (const std::vector<double>& rank : imbalance.after_first) each.push_back(microseconds(summarise(rank).median));
  return line(Json{{"event", "imbalance"},
                   {"ranks", imbalance.ranks},
                   {"nodes", imbalance.nodes},
                   {"work_us", microseconds(imbalance.work)},
                   {"repetitions", imbalance.spreads.size()},
                   {"all", spread_summary(imbalance.spreads, &Spread::all)},
                   {"inside", spread_summary(imbalance.spreads, &Spread::inside)},
                   {"between", spread_summary(imbalance.spreads, &Spread::between)},
                   {"after_first_us", each}});
}

std::string end_to_json(std::int64_t wrong) { return line(Json{{"event", "end"}, {"wrong", wrong}}); }

}  // namespace tutti::bench

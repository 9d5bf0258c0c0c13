#include "bench/clock/clock_source.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>

namespace tutti::bench {

std::string_view name(ClockKind kind) {
  constexpr std::array<std::string_view, clock_kinds.size()> names = {"raw", "monotonic", "cycles", "wtime"};
  return names[static_cast<std::size_t>(kind)];
}

std::optional<ClockKind> clock_named(std::string_view word) {
  for (const ClockKind kind : clock_kinds)
    if (name(kind) == word) return kind;
  return std::nullopt;
}

std::optional<ClockSkew> skew_of(int rank) {
  const char* const text = std::getenv("TUTTI_BENCH_CLOCK_SKEW");
  if (!text) return std::nullopt;
  std::optional<ClockSkew> found;  // all is read on every rank, so that all complain or none
  std::istringstream list(text);
  for (std::string item; std::getline(list, item, ',');) {
    std::istringstream words(item);
    int of = -1;
    ClockSkew skew;
    char first = 0, second = 0;
    if (!(words >> of >> first >> skew.offset >> second >> skew.drift) || first != ':' || second != ':' || of < 0)
      throw std::invalid_argument("TUTTI_BENCH_CLOCK_SKEW: '" + item + "' is not RANK:SECONDS:PPM, such as 1:0.5:40");
    skew.drift *= 1e-6;
    if (of == rank) found = skew;
  }
  return found;
}

double seconds_per_cycle() {
  constexpr double long_enough = 0.03;
  const ClockSource raw(ClockKind::monotonic_raw, nullptr, 0);
  /// The two clocks at one moment: of some readings the pair that took least.
  const auto pair = [&] {
    double least = 1, time = 0, cycles = 0;
    for (int i = 0; i < 100; ++i) {
      const double before = raw();
      const auto count = static_cast<double>(cycle_count());
      const double after = raw();
      if (after - before < least) least = after - before, time = (before + after) / 2, cycles = count;
    }
    return std::array{time, cycles};
  };
  const auto [time, cycles] = pair();
  while (raw() < time + long_enough) {
  }
  const auto [later, more] = pair();
  return more > cycles ? (later - time) / (more - cycles) : 0;
}

ClockFacts examine(const ClockSource& clock) {
  constexpr int readings = 2000;
  ClockFacts facts;
  for (int trial = 0; trial < 5; ++trial) {
    const double begin = clock();
    for (int i = 1; i < readings; ++i) clock();
    facts.cost = std::min(facts.cost, (clock() - begin) / readings);
  }
  double last = clock();
  for (int i = 0; i < readings; ++i) {
    const double time = clock();
    if (time < last) facts.unfit = 1;
    if (time > last) facts.step = std::min(facts.step, time - last);
    last = time;
  }
  if (!(facts.cost > 0)) facts.unfit = 1;  // it stood still
  return facts;
}

ClockKind best_of(const std::array<ClockFacts, clock_kinds.size()>& facts) {
  constexpr double worth_it = 1.5;
  double finest = 1;
  for (const ClockFacts& each : facts)
    if (each.unfit <= 0) finest = std::min(finest, each.finest());
  for (const ClockKind kind : clock_kinds) {
    const ClockFacts& each = facts[static_cast<std::size_t>(kind)];
    if (each.unfit <= 0 && each.finest() <= worth_it * finest) return kind;
  }
  return ClockKind::monotonic;
}

}  // namespace tutti::bench

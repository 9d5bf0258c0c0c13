#include "arrival/pattern.hpp"

#include <algorithm>
#include <cmath>
#include <istream>
#include <sstream>
#include <stdexcept>

namespace tutti {

namespace {

/// 0 to 1, from an integer: the finalizer of splitmix64.
double spread_evenly(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return static_cast<double>((value ^ (value >> 31)) >> 11) * 0x1p-53;
}

/// Three standard deviations on either side of the middle rank.
double bell_at(double place) {
  const double deviations = 6 * (place - 0.5);
  return std::exp(-deviations * deviations / 2);
}

[[noreturn]] void refuse(const std::string& file, int line, const std::string& expected) {
  throw std::invalid_argument(file + ":" + std::to_string(line) + ": " + expected);
}

std::vector<double> delays_of(std::string text, const std::string& file, int line, int ranks) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream words(text.substr(0, text.find('#')));
  std::vector<double> row;
  for (std::string word; words >> word;) {
    std::size_t used = 0;
    double delay = -1;
    try {
      delay = std::stod(word, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used != word.size() || !(delay >= 0) || !std::isfinite(delay))
      refuse(file, line, "'" + word + "' is no delay: expected seconds, 0 or more, such as 0.002");
    row.push_back(delay);
  }
  if (!row.empty() && static_cast<int>(row.size()) != ranks)
    refuse(file, line,
           "expected " + std::to_string(ranks) + " delays, one a rank, and found " + std::to_string(row.size()));
  return row;
}

}  // namespace

std::string_view name(ArrivalPattern pattern) {
  constexpr std::array<std::string_view, arrival_patterns.size()> names = {
      "none",      "ascending", "descending",    "random", "first_late",
      "last_late", "half_late", "one_node_late", "bell",   "replay"};
  return names[static_cast<std::size_t>(pattern)];
}

std::optional<ArrivalPattern> arrival_named(std::string_view word) {
  for (const ArrivalPattern pattern : arrival_patterns)
    if (name(pattern) == word) return pattern;
  return std::nullopt;
}

double lateness(ArrivalPattern pattern, const Arriving& who, std::int64_t repetition) {
  const double place = who.size > 1 ? static_cast<double>(who.rank) / (who.size - 1) : 0;
  switch (pattern) {
    case ArrivalPattern::ascending:
      return place;
    case ArrivalPattern::descending:
      return 1 - place;
    case ArrivalPattern::random:
      return spread_evenly(static_cast<std::uint64_t>(repetition) * 0x10001 + static_cast<std::uint64_t>(who.rank));
    case ArrivalPattern::first_late:
      return who.rank == 0 ? 1 : 0;
    case ArrivalPattern::last_late:
      return who.rank == who.size - 1 ? 1 : 0;
    case ArrivalPattern::half_late:
      return who.rank >= (who.size + 1) / 2 ? 1 : 0;
    case ArrivalPattern::one_node_late:
      return who.on_last_node ? 1 : 0;
    case ArrivalPattern::bell:
      return bell_at(place);
    case ArrivalPattern::none:
    case ArrivalPattern::replay:
      break;
  }
  return 0;
}

RecordedArrivals RecordedArrivals::read(std::istream& text, const std::string& file, int ranks) {
  RecordedArrivals recorded;
  int number = 0;
  for (std::string line; std::getline(text, line);)
    if (auto row = delays_of(line, file, ++number, ranks); !row.empty()) recorded.rows_.push_back(std::move(row));
  if (recorded.rows_.empty()) refuse(file, number + 1, "expected at least one line of delays, one a rank, in seconds");
  return recorded;
}

double RecordedArrivals::delay(int rank, std::int64_t repetition) const {
  const auto& row = rows_[static_cast<std::size_t>(repetition) % rows_.size()];
  return row[static_cast<std::size_t>(rank)];
}

double RecordedArrivals::longest() const {
  double most = 0;
  for (const auto& row : rows_) most = std::max(most, *std::max_element(row.begin(), row.end()));
  return most;
}

}  // namespace tutti

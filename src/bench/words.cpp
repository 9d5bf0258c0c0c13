#include "bench/words.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace tutti::bench {

std::int64_t parse_bytes(const std::string& text, const std::string& whole) {
  std::size_t used = 0;
  std::int64_t value = -1;
  try {
    value = std::stoll(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  std::int64_t unit = 1;
  const std::string suffix = text.substr(used);
  if (suffix == "K") unit = 1 << 10;
  if (suffix == "M") unit = 1 << 20;
  if (suffix == "G") unit = 1 << 30;
  if (used == 0 || value < 0 || (!suffix.empty() && unit == 1) || value > (std::int64_t{1} << 50) / unit)
    throw std::invalid_argument("'" + whole + "': the size is a number of bytes such as 8, 64K or 1M");
  return value * unit;
}

double parse_positive(const std::string& text, const std::string& option) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used != text.size() || !(value > 0) || !std::isfinite(value))
    throw std::invalid_argument(option + " needs a number above 0, not '" + text + "'");
  return value;
}

int parse_count(const std::string& text, const std::string& option, int least) {
  int value = least - 1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least)
    throw std::invalid_argument(option + " needs a whole number of " + std::to_string(least) + " or more, not '" +
                                text + "'");
  return value;
}

namespace {

[[noreturn]] void throw_for(const std::string& option, const std::string& why) {
  throw std::invalid_argument(option + ": " + why);
}

}  // namespace

std::vector<int> parse_ranks(const std::string& text, const std::string& option) {
  constexpr int most = 1 << 20;  // ranks that a range may name
  std::vector<int> ranks;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t dash = part.find('-');
    const int first = parse_count(part.substr(0, dash), option, 0);
    const int last = dash == std::string::npos ? first : parse_count(part.substr(dash + 1), option, first);
    if (last - first >= most) throw_for(option, "'" + part + "' are too many ranks");
    for (int rank = first; rank <= last; ++rank) ranks.push_back(rank);
    begin = end + 1;
  }
  std::vector<int> sorted = ranks;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw_for(option, "rank " + std::to_string(*twice) + " is named twice");
  return ranks;
}

}  // namespace tutti::bench

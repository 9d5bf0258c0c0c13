#include "bench/options.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace tutti::bench {

namespace {

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

VariantName parse_variant(const std::string& name) {
  if (name == "tutti") return {name, Source::preloaded};
  if (name == "native" || name == "again") return {name, Source::library};
  throw std::invalid_argument("--variants: '" + name + "' is none of tutti, native, again");
}

std::vector<VariantName> parse_variants(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) throw std::invalid_argument("--variants needs two names, such as tutti,native");
  return {parse_variant(text.substr(0, comma)), parse_variant(text.substr(comma + 1))};
}

constexpr std::array syncs = {Sync::automatic, Sync::round, Sync::flags, Sync::barrier};

Sync parse_sync(const std::string& word) {
  for (const Sync sync : syncs)
    if (name(sync) == word) return sync;
  throw std::invalid_argument("--sync: '" + word + "' is none of auto, round, flags, barrier");
}

CacheMode parse_cache(const std::string& word) {
  if (word == "rotating") return CacheMode::rotating;
  if (word == "warm") return CacheMode::warm;
  throw std::invalid_argument("--cache: '" + word + "' is neither rotating nor warm");
}

bool parse_clock(const std::string& word) {
  if (word != "auto" && word != "hca3") throw std::invalid_argument("--clock: '" + word + "' is neither auto nor hca3");
  return word == "hca3";
}

std::optional<ClockKind> parse_source(const std::string& word) {
  const auto kind = clock_named(word);
  if (!kind && word != "auto")
    throw std::invalid_argument("--clock-source: '" + word + "' is none of auto, raw, monotonic, cycles, wtime");
  return kind;
}

/// Options about the clock and the start.  Whether `word` is one of them.
bool parse_timing(const std::string& word, const std::function<std::string()>& value, Options& options) {
  if (word == "--sync")
    options.sync = parse_sync(value());
  else if (word == "--clock")
    options.clock.forced = parse_clock(value());
  else if (word == "--clock-source")
    options.clock.source = parse_source(value());
  else if (word == "--clock-seconds")
    options.clock.seconds = parse_positive(value(), word);
  else if (word == "--clock-check")
    options.clock_check = parse_positive(value(), word);
  else
    return false;
  return true;
}

}  // namespace

std::string_view name(Sync sync) {
  constexpr std::array<std::string_view, syncs.size()> names = {"auto", "round", "flags", "barrier"};
  return names[static_cast<std::size_t>(sync)];
}

Arrival parse_arrival(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto pattern = arrival_named(text.substr(0, colon));
  if (!pattern) throw std::invalid_argument("'" + text.substr(0, colon) + "' is no pattern of arrival");
  Arrival arrival{*pattern, colon == std::string::npos ? "" : text.substr(colon + 1)};
  if (*pattern == ArrivalPattern::none) return {};
  const std::string& skew = arrival.skew;
  if (*pattern == ArrivalPattern::replay) {
    if (skew.empty()) throw std::invalid_argument("replay needs the file of a recording: replay:FILE");
    return arrival;
  }
  const std::size_t unit = skew.find_last_not_of("xsmu");
  const std::string suffix = unit == std::string::npos ? "" : skew.substr(unit + 1);
  constexpr std::array<std::pair<std::string_view, double>, 5> units = {
      {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"x", 1}}};
  const auto found = std::find_if(units.begin(), units.end(), [&](const auto& each) { return each.first == suffix; });
  if (unit == std::string::npos || found == units.end())
    throw std::invalid_argument("'" + text + "': the skew is a time such as 100us, or a multiple such as 2x");
  arrival.amount = found->second * parse_positive(skew.substr(0, unit + 1), "'" + text + "'");
  arrival.multiple = suffix == "x";
  return arrival;
}

Case parse_case(const std::string& text) {
  const std::size_t at = text.find('@');
  const std::string call = text.substr(0, at);
  const std::size_t colon = call.find(':');
  const std::string word = call.substr(0, colon);
  const auto collective = collective_named(word);
  if (!collective) throw std::invalid_argument("'" + word + "' is no collective");
  Case result{*collective, 0, at == std::string::npos ? Arrival{} : parse_arrival(text.substr(at + 1))};
  if (*collective == Collective::barrier) return result;
  if (colon == std::string::npos) throw std::invalid_argument("'" + text + "' needs a size: " + word + ":1024");
  result.bytes = parse_bytes(call.substr(colon + 1), text);
  return result;
}

Options parse_options(int argc, const char* const* argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) throw std::invalid_argument(word + " needs a value");
      return argv[++i];
    };
    if (word == "--mpi-library")
      value();  // the executable's
    else if (word == "--seconds")
      options.seconds = parse_positive(value(), word);
    else if (word == "--precision")
      options.precision = parse_positive(value(), word);
    else if (word == "--variants")
      options.variants = parse_variants(value());
    else if (word == "--bound")
      options.bound = true;
    else if (word == "--no-check")
      options.check = false;
    else if (word == "--imbalance")
      options.work = parse_positive(value(), word);
    else if (word == "--cache")
      options.cache = parse_cache(value());
    else if (word == "--samples")
      options.samples = value();
    else if (parse_timing(word, value, options))
      continue;
    else if (word.starts_with("-"))
      throw std::invalid_argument("unknown option " + word + "; see --help");
    else
      options.cases.push_back(parse_case(word));
  }
  if (options.cases.empty() && options.clock_check <= 0 && options.work <= 0)
    throw std::invalid_argument("name at least one case, such as allreduce:8");
  return options;
}

}  // namespace tutti::bench

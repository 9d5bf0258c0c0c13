#include "bench/options.hpp"

#include <cmath>
#include <stdexcept>

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

}  // namespace

Case parse_case(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string word = text.substr(0, colon);
  const auto collective = collective_named(word);
  if (!collective) throw std::invalid_argument("'" + word + "' is no collective");
  Case result{*collective, 0};
  if (*collective == Collective::barrier) return result;
  if (colon == std::string::npos) throw std::invalid_argument("'" + text + "' needs a size: " + word + ":1024");
  result.bytes = parse_bytes(text.substr(colon + 1), text);
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
    else if (word.starts_with("-"))
      throw std::invalid_argument("unknown option " + word + "; see --help");
    else
      options.cases.push_back(parse_case(word));
  }
  if (options.cases.empty()) throw std::invalid_argument("name at least one case, such as allreduce:8");
  return options;
}

}  // namespace tutti::bench

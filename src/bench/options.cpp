#include "bench/options.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "bench/messages.hpp"
#include "bench/words.hpp"

namespace tutti::bench {

namespace {

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

constexpr std::array syncs = {Sync::automatic, Sync::round, Sync::flags, Sync::messages, Sync::barrier};

Sync parse_sync(const std::string& word) {
  for (const Sync sync : syncs)
    if (name(sync) == word) return sync;
  throw std::invalid_argument("--sync: '" + word + "' is none of auto, round, flags, messages, barrier");
}

template <typename Names>
std::string listed(const Names& names) {
  std::string text;
  for (const auto& each : names) text += (text.empty() ? "" : ", ") + std::string(each);
  return text;
}

PatternFile parse_pattern_file(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    throw std::invalid_argument("--pattern needs a name and a file, such as halo=halo.txt");
  return {text.substr(0, equals), text.substr(equals + 1)};
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

/// Options about what is called, and how often.  Whether `word` is one of them.
bool parse_subject(const std::string& word, const std::function<std::string()>& value, Options& options) {
  if (word == "--root") {
    const std::string root = value();
    options.rotating_root = root == "rotating";
    if (!options.rotating_root) options.root = parse_count(root, word, 0);
  } else if (word == "--in-place") {
    options.in_place = true;
  } else if (word == "--datatype") {
    const std::string element = value();
    options.element = element_named(element);
    if (!options.element)
      throw std::invalid_argument("--datatype: '" + element + "' is none of " + listed(element_names));
  } else if (word == "--operator") {
    const std::string op = value();
    if (!operator_named(op))
      throw std::invalid_argument("--operator: '" + op + "' is none of " + listed(operator_names));
    options.op = *operator_named(op);
  } else if (word == "--pattern") {
    options.patterns.push_back(parse_pattern_file(value()));
  } else if (word == "--on") {
    options.on = parse_ranks(value(), word);
  } else if (word == "--repetitions") {
    options.repetitions = parse_count(value(), word, 1);
  } else if (word == "--warm-ups") {
    options.warm_ups = parse_count(value(), word, 0);
  } else if (word == "--cache") {
    options.cache = parse_cache_mode(value(), word);
  } else if (word == "--batch") {
    options.batch = parse_count(value(), word, 1);
  } else {
    return false;
  }
  return true;
}

/// Sets collective and form.  Whether `word` is one.
bool set_call(Case& what, const std::string& word) {
  constexpr std::string_view persistent = "_init";
  const auto set = [&](std::string_view name, Manner manner) {
    const auto found = collective_named(name);
    if (!found) return false;
    what.collective = *found;
    what.manner = manner;
    return true;
  };
  const std::string_view name = word;
  return set(name, Manner::blocking) || (name.starts_with("i") && set(name.substr(1), Manner::nonblocking)) ||
         (name.ends_with(persistent) && set(name.substr(0, name.size() - persistent.size()), Manner::persistent));
}

bool is_pattern(const std::string& word, const std::vector<PatternFile>& files) {
  const std::vector<std::string> names = pattern_names();
  return word.starts_with("pairs-") || std::find(names.begin(), names.end(), word) != names.end() ||
         std::any_of(files.begin(), files.end(), [&](const PatternFile& each) { return each.name == word; });
}

/// What cannot be together.
void check(const Options& options) {
  const auto any = [&](auto holds) { return std::any_of(options.cases.begin(), options.cases.end(), holds); };
  if (options.bound && any([](const Case& what) { return !what.other.empty() || what.manner != Manner::blocking; }))
    throw std::invalid_argument("--bound is about blocking collectives");
  if (options.rotating_root && any([](const Case& what) { return what.manner == Manner::persistent; }))
    throw std::invalid_argument("--root rotating: a persistent call keeps its root");
  for (const Case& what : options.cases) check_operator(what, options);
}

/// Throws where the call has nothing of that kind.
void check_terms(const Case& what, const std::string& text) {
  const auto refuse = [&](bool said, bool has, const char* term) {
    if (said && !has) throw std::invalid_argument("'" + text + "': there is no " + term + " in this call");
  };
  const bool collective = what.other.empty(), moves = collective && what.collective != Collective::barrier;
  refuse(what.terms.element.has_value(), moves, "datatype");
  refuse(what.terms.op.has_value(), collective && reduces(what.collective), "operator");
  refuse(what.terms.root.has_value(), collective && rooted(what.collective), "root");
  refuse(what.terms.in_place, moves && what.collective != Collective::bcast, "MPI_IN_PLACE");
}

/// Takes what stands in parentheses at its end off a word.
Terms split_terms(std::string& word, const std::string& text) {
  const std::size_t open = word.find('(');
  if (open == std::string::npos) return {};
  if (!word.ends_with(')')) throw std::invalid_argument("'" + text + "' lacks a )");
  const Terms terms = parse_terms(word.substr(open + 1, word.size() - open - 2));
  word.resize(open);
  return terms;
}

}  // namespace

std::string_view name(Sync sync) {
  constexpr std::array<std::string_view, syncs.size()> names = {"auto", "round", "flags", "messages", "barrier"};
  return names[static_cast<std::size_t>(sync)];
}

bool has_buffers(const Case& what) { return !what.other.empty() || what.collective != Collective::barrier; }

std::string subject_of(const Case& what) {
  if (!what.other.empty()) return what.other;
  const std::string word(name(what.collective)), terms = text_of(what.terms);
  if (what.manner == Manner::nonblocking) return "i" + word + terms;
  return (what.manner == Manner::persistent ? word + "_init" : word) + terms;
}

Operator operator_of(const Case& what, const Options& options) { return what.terms.op.value_or(options.op); }

Element element_of(const Case& what, const Options& options) {
  if (what.terms.element) return *what.terms.element;
  // An element for all cases is not meant for one that has an operator of its own and no element.
  if (options.element && !what.terms.op) return *options.element;
  return reduces(what.collective) ? usual_element(operator_of(what, options)) : Element::byte;
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

void check_operator(const Case& what, const Options& options) {
  if (what.other.empty() && reduces(what.collective))
    check_defined(operator_of(what, options), element_of(what, options));
}

Case parse_case(const std::string& text, const std::vector<PatternFile>& patterns, CacheMode usual) {
  const std::size_t at = text.find('@'), percent = std::min(text.find('%'), at);
  const std::string call = text.substr(0, percent);
  const std::size_t colon = call.find(':');
  std::string word = call.substr(0, colon);
  Case result;
  result.terms = split_terms(word, text);
  if (!set_call(result, word)) {
    if (word != memcpy_name && !is_pattern(word, patterns))
      throw std::invalid_argument("'" + word + "' is no collective, and no pattern of messages");
    result.other = word;
  }
  check_terms(result, text);
  if (at != std::string::npos) result.arrival = parse_arrival(text.substr(at + 1));
  const std::string mode = percent < at ? text.substr(percent + 1, at - percent - 1) : std::string(name(usual));
  if (percent < at && !has_buffers(result))
    throw std::invalid_argument("'" + text + "': there are no buffers in this call");
  if (!has_buffers(result)) return result;
  result.cache = parse_cache_mode(mode, "'" + text + "'");
  if (colon == std::string::npos) throw std::invalid_argument("'" + text + "' needs a size: " + word + ":1024");
  result.bytes = parse_bytes(call.substr(colon + 1), text);
  return result;
}

Options parse_options(int argc, const char* const* argv) {
  Options options;
  std::vector<std::string> cases;
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
    else if (word == "--samples")
      options.samples = value();
    else if (parse_timing(word, value, options) || parse_subject(word, value, options))
      continue;
    else if (word.starts_with("-"))
      throw std::invalid_argument("unknown option " + word + "; see --help");
    else
      cases.push_back(word);
  }
  for (const std::string& text : cases) options.cases.push_back(parse_case(text, options.patterns, options.cache));
  if (options.cases.empty() && options.clock_check <= 0 && options.work <= 0)
    throw std::invalid_argument("name at least one case, such as allreduce:8");
  check(options);
  return options;
}

}  // namespace tutti::bench

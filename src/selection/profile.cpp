#include "selection/profile.hpp"

// What toml++ 3.4 asserts of its input is not always so ("[" and a NUL), and with NDEBUG it tells the compiler to rely
// on it.  Without either it finds the mistake a line further on, and says where it is.
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ASSERT(expr) static_cast<void>(0)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.hpp>
#pragma pop_macro("NDEBUG")

namespace tutti {
namespace {

constexpr std::int64_t schema = 1;

/// Why a rule or file is unsound, and where.
struct Unsound {
  toml::source_position where;
  std::string cause;
};

/// Is the size of its calls known on all those ranks?  Otherwise a rule on size could never match.
constexpr bool has_size(Collective which, const Range& ranks) {
  const CommonSize size = contract(which).size;
  if (size == CommonSize::pair) return ranks == Range{2, 2};  // each block's sender and receiver are all
  return size != CommonSize::none && size != CommonSize::unknown;
}

const toml::node& required(const toml::table& rule, std::string_view key) {
  if (const toml::node* node = rule.get(key)) return *node;
  throw Unsound{rule.source().begin, "the rule has no " + quoted(key)};
}

std::string text_of(const toml::node& node, std::string_view key) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  throw Unsound{node.source().begin, quoted(key) + " is a text in quotes"};
}

Collective collective_of(const toml::table& rule) {
  const toml::node& node = required(rule, "collective");
  const std::string word = text_of(node, "collective");
  if (const auto which = collective_named(word)) return *which;
  const std::vector<std::string_view> valid(collective_names.begin(), collective_names.end());
  throw Unsound{node.source().begin, "unknown collective " + quoted(word) + did_you_mean(word, valid)};
}

Spec spec_of(const toml::table& rule, Collective collective) {
  const toml::node& node = required(rule, "use");
  const std::string text = text_of(node, "use");
  try {
    return parse_spec(text, collective);
  } catch (const SpecError& error) {
    toml::source_position where = node.source().begin;
    where.column += static_cast<toml::source_index>(error.column);  // the node begins at the quote
    throw Unsound{where, error.sentence};
  }
}

std::optional<Range> range_of(const toml::table& rule, std::string_view key) {
  const toml::node* node = rule.get(key);
  if (!node) return std::nullopt;
  if (const auto number = node->value_exact<std::int64_t>(); number && *number >= 0) return Range{*number, *number};
  if (const auto text = node->value_exact<std::string>())
    if (const auto range = parse_range(*text)) return range;
  throw Unsound{node->source().begin, quoted(key) + " is a range such as \"2:32\", \"64K:\" or \"4\""};
}

/// Of CPUs.
std::optional<bool> sharing_of(const toml::table& rule) {
  const toml::node* node = rule.get("cpus");
  if (!node) return std::nullopt;
  const std::string word = text_of(*node, "cpus");
  if (word == "own" || word == "shared") return word == "shared";
  throw Unsound{node->source().begin, "'cpus' is \"own\" or \"shared\""};
}

/// Whether nonblocking and persistent calls are meant too.
bool all_calls_of(const toml::table& rule) {
  const toml::node* node = rule.get("calls");
  if (!node) return false;
  const std::string word = text_of(*node, "calls");
  if (word == "all" || word == "blocking") return word == "all";
  throw Unsound{node->source().begin, "'calls' is \"all\" or \"blocking\""};
}

void refuse_unknown_keys(const toml::table& table, const std::vector<std::string_view>& valid) {
  for (const auto& [key, value] : table)
    if (std::find(valid.begin(), valid.end(), key.str()) == valid.end())
      throw Unsound{key.source().begin, "unknown key " + quoted(key.str()) + did_you_mean(key.str(), valid)};
}

Rule rule_of(const toml::table& table) {
  refuse_unknown_keys(
      table, {"collective", "use", "mpi", "nodes", "ranks", "ppn", "cpus", "size", "calls", "because", "measured"});
  Rule rule;
  rule.line = static_cast<int>(table.source().begin.line);
  rule.collective = collective_of(table);
  rule.spec = spec_of(table, rule.collective);
  const auto nodes = range_of(table, "nodes"), ranks = range_of(table, "ranks"), ppn = range_of(table, "ppn");
  rule.nodes = nodes.value_or(Range{}), rule.ranks = ranks.value_or(Range{}), rule.ppn = ppn.value_or(Range{});
  rule.shares_cpus = sharing_of(table);
  rule.all_calls = all_calls_of(table);
  rule.places = nodes || ppn || rule.shares_cpus;
  if (const toml::node* library = table.get("mpi")) {
    rule.mpi = letters_of_library(text_of(*library, "mpi"));
    if (rule.mpi.empty()) throw Unsound{library->source().begin, "'mpi' names an MPI library, such as \"Open MPI\""};
  }
  rule.size = range_of(table, "size");
  if (rule.size && !has_size(rule.collective, rule.ranks))
    throw Unsound{table.get("size")->source().begin,
                  "the size of " + std::string(name(rule.collective)) + " is not known on all ranks"};
  if (const toml::node* because = table.get("because")) rule.because = text_of(*because, "because");
  if (const toml::node* measured = table.get("measured"); measured && !measured->is_table())
    throw Unsound{measured->source().begin, "'measured' is a table"};
  rule.measured = table.contains("measured");
  return rule;
}

/// Reads one file; collects what is unsound.
class Reader {
 public:
  Reader(const std::string& file, std::vector<Warning>& warnings) : file_(file), warnings_(warnings) {}

  std::vector<Rule> read(std::string_view text) {
    try {
      const toml::table root = toml::parse(text, file_);
      if (supported(root)) return rules(root);
    } catch (const toml::parse_error& error) {
      warn(error.source().begin, std::string(error.description()), "the file is left out");
    }
    return {};
  }

 private:
  bool supported(const toml::table& root) {
    const toml::node* node = root.get("schema");
    if (node && node->value_exact<std::int64_t>() == schema) return true;
    const bool other = node && node->is_integer();
    warn(node ? node->source().begin : toml::source_position{1, 1},
         other ? "this version of tutti reads schema 1" : "the file does not say schema = 1", "the file is left out");
    return false;
  }

  std::vector<Rule> rules(const toml::table& root) {
    try {
      refuse_unknown_keys(root, {"schema", "rule", "about"});
    } catch (const Unsound& problem) {
      warn(problem.where, problem.cause, "it is ignored");
    }
    std::vector<Rule> sound;
    const toml::node* list = root.get("rule");
    if (!list) return sound;
    if (!list->is_array()) {
      warn(list->source().begin, "a rule begins with [[rule]]", "it is left out");
      return sound;
    }
    int index = 0;
    for (const toml::node& node : *list->as_array()) add(node, index++, sound);
    return sound;
  }

  void add(const toml::node& node, int index, std::vector<Rule>& sound) try {
    if (!node.is_table()) throw Unsound{node.source().begin, "a rule begins with [[rule]]"};
    sound.push_back(rule_of(*node.as_table()));
    sound.back().index = index;
  } catch (const Unsound& problem) {
    warn(problem.where, problem.cause, "the rule is left out");
  }

  void warn(toml::source_position where, const std::string& cause, const char* consequence) {
    warnings_.push_back({file_ + " line " + std::to_string(where.line) + ", column " + std::to_string(where.column) +
                         ": " + cause + (cause.ends_with('?') ? " " : "; ") + "(" + consequence + ")"});
  }

  const std::string& file_;
  std::vector<Warning>& warnings_;
};

}  // namespace

std::string letters_of_library(std::string_view name) {
  std::string letters;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i).starts_with("(R)"))
      i += 2;
    else if (std::isalnum(static_cast<unsigned char>(name[i])))
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  }
  return letters;
}

std::vector<Rule> parse_profile(std::string_view text, const std::string& file, std::vector<Warning>& warnings) {
  return Reader(file, warnings).read(text);
}

}  // namespace tutti

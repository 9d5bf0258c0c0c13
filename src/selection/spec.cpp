/// Specs: names, parameters and ranges checked against the catalogue.
#include "selection/spec.hpp"

#include <algorithm>
#include <span>

#include "algorithms/catalogue.hpp"
#include "selection/number.hpp"
#include "selection/spec_syntax.hpp"

namespace tutti {
namespace {

using std::string_literals::operator""s;

using Words = std::vector<std::string_view>;

constexpr std::int64_t most_senders = 1024, most_groups = 1 << 30, most_bytes = std::int64_t{1} << 40;

/// Has blocks that go from rank to rank as they are.
constexpr bool moves(Collective which) { return which != Collective::barrier && !reduces(which); }

/// What may stand where.
enum class Place { top, between_nodes, in_groups };

/// "did you mean 'ring'?", or all that is valid where nothing is near.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& valid) {
  if (const auto near = nearest(word, valid); !near.empty()) return "did you mean " + quoted(near) + "?";
  std::string all;
  for (std::string_view each : valid) all += (all.empty() ? "" : ", ") + std::string(each);
  return all.empty() ? "there is none" : "valid: " + all;
}

/// Checks one text's phrases for one collective.
class Checker {
 public:
  explicit Checker(Collective collective) : collective_(collective) {}

  Spec check(const SpecPhrase& phrase, Place place) const {
    if (phrase.word == "native") return native(phrase);
    if (phrase.word == "node" && place == Place::top) return node(phrase);
    if (phrase.word == "groups" && place != Place::in_groups) return groups(phrase);
    if (const Algorithm* algorithm = find_algorithm(collective_, phrase.word)) return flat(phrase, *algorithm);
    fail_unknown(phrase, place);
  }

 private:
  static Spec native(const SpecPhrase& phrase) {
    if (!phrase.items.empty()) throw SpecError("'native' takes no parameters", phrase.items[0].column);
    return {"native", {}, {}};
  }

  /// node, node(single_copy=16K), node(copy=cma), node(X), node(X, senders=k).
  Spec node(const SpecPhrase& phrase) const {
    Spec spec{"node", {}, {}};
    for (const SpecItem& item : phrase.items) {
      if (item.key.empty()) {
        if (!spec.arguments.empty()) throw SpecError("'node' takes one algorithm", item.column);
        spec.arguments.push_back(check(item.value, Place::between_nodes));
      } else if (item.key == "senders") {
        add_option(spec, item, number(item, 1, most_senders), false);
      } else if (item.key == "single_copy" && moves(collective_)) {
        add_option(spec, item, number(item, 1, most_bytes), true);
      } else if (item.key == "copy" && moves(collective_)) {
        add_copy(spec, item);
      } else {
        fail_option(item, "node", moves(collective_) ? Words{"copy", "senders", "single_copy"} : Words{"senders"});
      }
    }
    std::ranges::sort(spec.options, {}, &Spec::Option::name);
    if (spec.arguments.empty() && spec.option("senders"))
      throw SpecError("'senders' needs the algorithm between nodes", phrase.column, "as in node(ring, senders=4)");
    return spec;
  }

  /// How every block moves: copy=cma is single_copy=1, and copy=arena what `node` alone does.
  static void add_copy(Spec& spec, const SpecItem& item) {
    const SpecPhrase& way = item.value;
    if ((way.word != "cma" && way.word != "arena") || !way.items.empty())
      throw SpecError("'copy' is arena or cma, not " + quoted(way.word), way.column,
                      suggestion(way.word, {"arena", "cma"}));
    const SpecItem from{"single_copy", item.column, {}};
    refuse_twice(spec, from);
    if (way.word == "cma") add_option(spec, from, 1, true);
  }

  /// groups(G, X), groups(G, outer=X, inner=Y).
  Spec groups(const SpecPhrase& phrase) const {
    Spec spec{"groups", {}, {}};
    const auto usage = "as in groups(16, ring) or groups(16, outer=ring, inner=binomial)"s;
    if (phrase.items.empty() || !phrase.items[0].key.empty() || !phrase.items[0].value.number)
      throw SpecError("'groups' begins with the number of groups", phrase.column, usage);
    SpecItem count = phrase.items[0];
    count.key = "groups";
    add_option(spec, count, number(count, 1, most_groups), false);
    for (const SpecItem& item : std::span(phrase.items).subspan(1)) {
      if (!item.key.empty() && item.key != "outer" && item.key != "inner")
        fail_option(item, "groups", {"outer", "inner"});
      Spec inside = check(item.value, Place::in_groups);
      if (item.key.empty())
        spec.arguments.push_back(std::move(inside));
      else
        add_nested(spec, item, std::move(inside));
    }
    settle_levels(spec, phrase.column, usage);
    return spec;
  }

  /// One algorithm for both levels, or one for each; outer first; the same one twice is written once.
  static void settle_levels(Spec& spec, std::size_t column, const std::string& usage) {
    const Spec::Option *outer = spec.option("outer"), *inner = spec.option("inner");
    const bool both = outer && inner, one = spec.arguments.size() == 1;
    if (both == one || spec.arguments.size() > 1 || (one && (outer || inner)))
      throw SpecError("'groups' takes one algorithm for both levels, or 'outer' and 'inner'", column, usage);
    if (both && outer->nested == inner->nested) {
      spec.arguments = outer->nested;
      spec.options.resize(1);
    } else if (both && outer > inner) {
      std::swap(spec.options[1], spec.options[2]);
    }
  }

  static Spec flat(const SpecPhrase& phrase, const Algorithm& algorithm) {
    Spec given{phrase.word, {}, {}};
    std::vector<std::string_view> names;
    for (const ParameterInfo& parameter : algorithm.parameters) names.push_back(parameter.name);
    for (const SpecItem& item : phrase.items) {
      const auto found = std::find(names.begin(), names.end(), item.key);
      if (item.key.empty() || found == names.end()) fail_option(item, phrase.word, names);
      const ParameterInfo& parameter = algorithm.parameters[static_cast<std::size_t>(found - names.begin())];
      add_option(given, item, number(item, parameter.least, parameter.most),
                 parameter.kind == ParameterInfo::Kind::segment);
    }
    Spec spec{phrase.word, {}, {}};
    for (std::string_view name : names)
      if (const auto* option = given.option(name)) spec.options.push_back(*option);
    return spec;
  }

  static std::int64_t number(const SpecItem& item, std::int64_t least, std::int64_t most) {
    const SpecPhrase& value = item.value;
    const auto wanted = quoted(item.key) + " is a number from " + size_text(least) + " to " + size_text(most);
    if (!value.number || !value.items.empty()) throw SpecError(wanted + ", not " + quoted(value.word), value.column);
    if (*value.number < least || *value.number > most) throw SpecError(wanted + ", not " + value.word, value.column);
    return *value.number;
  }

  static void refuse_twice(const Spec& spec, const SpecItem& item) {
    if (spec.option(item.key)) throw SpecError(quoted(item.key) + " stands twice", item.column);
  }

  static void add_option(Spec& spec, const SpecItem& item, std::int64_t number, bool bytes) {
    refuse_twice(spec, item);
    spec.options.push_back({item.key, number, bytes, {}, {}});
  }

  static void add_nested(Spec& spec, const SpecItem& item, Spec inside) {
    refuse_twice(spec, item);
    spec.options.push_back({item.key, 0, false, {}, {std::move(inside)}});
  }

  [[noreturn]] static void fail_option(const SpecItem& item, std::string_view owner,
                                       const std::vector<std::string_view>& valid) {
    if (valid.empty()) throw SpecError(quoted(owner) + " takes no parameters", item.column);
    if (item.key.empty())
      throw SpecError(quoted(item.value.word) + " needs a name", item.column,
                      "as in " + std::string(owner) + "(" + std::string(valid[0]) + "=" + item.value.word + ")");
    throw SpecError("unknown parameter " + quoted(item.key) + " of " + std::string(owner), item.column,
                    suggestion(item.key, valid));
  }

  [[noreturn]] void fail_unknown(const SpecPhrase& phrase, Place place) const {
    std::vector<std::string_view> valid;
    for (const Algorithm& algorithm : catalogue())
      if (algorithm.collective == collective_) valid.push_back(algorithm.name);
    if (place == Place::top) valid.push_back("node");
    if (place != Place::in_groups) valid.push_back("groups");
    valid.push_back("native");
    const auto where = place == Place::top ? ""s : place == Place::between_nodes ? " between nodes"s : " in groups"s;
    throw SpecError("unknown algorithm " + quoted(phrase.word) + " for " + std::string(name(collective_)) + where,
                    phrase.column, suggestion(phrase.word, valid));
  }

  Collective collective_;
};

}  // namespace

Spec parse_spec(std::string_view text, Collective collective) {
  return Checker(collective).check(read_phrase(text), Place::top);
}

}  // namespace tutti

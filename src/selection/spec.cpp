/// Specs: names, parameters and ranges checked against the catalogue.
#include "selection/spec.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "algorithms/grouped/grouped.hpp"
#include "selection/number.hpp"
#include "selection/spec_syntax.hpp"
#include "selection/spec_variant.hpp"

namespace tutti {
namespace {

using std::string_literals::operator""s;

using Words = std::vector<std::string_view>;

constexpr std::int64_t most_senders = 1024, most_groups = 1 << 30, most_bytes = std::int64_t{1} << 40;

/// Whether what goes from rank to rank, as it is or to be combined, may be copied once instead of twice.
constexpr bool copies(Collective which) {
  return which != Collective::barrier && which != Collective::scan && which != Collective::exscan;
}

/// Passes through the levels of a hierarchy in pieces.
constexpr bool has_pieces(Collective which) {
  using enum Collective;
  return which == bcast || which == reduce || which == allreduce || which == reduce_scatter ||
         which == reduce_scatter_block;
}

/// All ranks wait for one another in it, and know its size: they can find out together whether the MPI library's own is
/// faster.  Not reductions: the last bits of a floating-point sum would follow the clock.
constexpr bool contested(Collective which) {
  const Contract& rules = contract(which);
  return !rules.reduces && rules.needs_all && (rules.size == CommonSize::count || rules.size == CommonSize::counts);
}

constexpr const char* one_or_two_levels = "'groups' takes one algorithm for both levels, or 'outer' and 'inner'";
constexpr const char* groups_usage = "as in groups(16, ring) or groups(16, outer=ring, inner=binomial)";

/// What may stand where.
enum class Place { top, between_nodes };

/// Checks one text's phrases for one collective.
class Checker {
 public:
  explicit Checker(Collective collective) : collective_(collective) {}

  Spec check(const SpecPhrase& phrase, Place place) const {
    if (phrase.word == "native") return native(phrase);
    if (phrase.word == "node" && place == Place::top) return node(phrase);
    if (phrase.word == "groups" && has_groups(collective_)) return groups(phrase);
    if (const Algorithm* algorithm = find_algorithm(collective_, phrase.word)) return flat(phrase, {algorithm});
    fail_unknown(phrase, place);
  }

 private:
  static Spec native(const SpecPhrase& phrase) {
    if (!phrase.items.empty()) throw SpecError("'native' takes no parameters", phrase.items[0].column);
    return {"native", {}, {}};
  }

  /// node, node(single_copy=16K), node(copy=cma), node(variant=tree), node(X), node(X, senders=k, overlap=256K),
  /// node(pairwise, direct=16K).
  Spec node(const SpecPhrase& phrase) const {
    Spec spec{"node", {}, {}};
    for (const SpecItem& item : phrase.items) {
      if (item.key.empty()) {
        if (!spec.arguments.empty()) throw SpecError("'node' takes one algorithm", item.column);
        spec.arguments.push_back(check(item.value, Place::between_nodes));
      } else if (item.key == "senders") {
        add_option(spec, item, number(item, 1, most_senders), false);
      } else if ((item.key == "overlap" && has_pieces(collective_)) ||
                 (item.key == "direct" && all_to_all(collective_)) ||
                 (item.key == "single_copy" && copies(collective_))) {
        add_option(spec, item, number(item, 1, most_bytes), true);
      } else if (item.key == "copy" && copies(collective_)) {
        add_copy(spec, item);
      } else if (item.key == "native" && contested(collective_)) {
        add_contest(spec, item);
      } else if (item.key == "variant") {
        refuse_twice(spec, item);
        spec.options.push_back(variant_option(item, collective_));
      } else {
        fail_option(item, "node", node_options());
      }
    }
    std::ranges::sort(spec.options, {}, &Spec::Option::name);
    refuse_beside_variant(spec, phrase.column);
    for (const char* option : {"senders", "overlap"})
      if (spec.arguments.empty() && spec.option(option))
        throw SpecError(quoted(option) + " needs the algorithm between nodes", phrase.column,
                        "as in node(ring, "s + option + (option == "senders"s ? "=4)" : "=256K)"));
    if (spec.option("native") && !spec.arguments.empty())
      throw SpecError("'native' is of ranks that share one node", phrase.column, "leave the algorithm out");
    if (spec.option("direct") && (spec.arguments.empty() || spec.arguments[0].name != "pairwise"))
      throw SpecError("'direct' goes with pairwise order between nodes", phrase.column,
                      "as in node(pairwise, direct=16K)");
    return spec;
  }

  Words node_options() const {
    Words all = copies(collective_) ? Words{"copy", "senders", "single_copy", "variant"} : Words{"senders", "variant"};
    if (has_pieces(collective_)) all.push_back("overlap");
    if (all_to_all(collective_)) all.push_back("direct");
    if (contested(collective_)) all.push_back("native");
    std::ranges::sort(all);
    return all;
  }

  /// How every block moves: copy=cma is single_copy=1, copy=arena what `node` alone does; copy=clock leaves it to each
  /// block's writer, of blocks shorter than single_copy where that stands too.
  void add_copy(Spec& spec, const SpecItem& item) const {
    const SpecPhrase& way = item.value;
    const Words ways{"arena", "clock", "cma"};
    if (std::ranges::find(ways, way.word) == ways.end() || !way.items.empty())
      throw SpecError("'copy' is arena, clock or cma, not " + quoted(way.word), way.column, suggestion(way.word, ways));
    const SpecItem from{"single_copy", item.column, {}};
    refuse_twice(spec, item);
    if (way.word != "clock") refuse_twice(spec, from);
    if (way.word == "cma") add_option(spec, from, 1, true);
    if (way.word == "clock") spec.options.push_back({"copy", 0, false, "clock", {}});
  }

  /// native=clock: the MPI library's own takes turns with the engine, and the faster stays.
  static void add_contest(Spec& spec, const SpecItem& item) {
    refuse_twice(spec, item);
    if (item.value.word != "clock" || !item.value.items.empty())
      throw SpecError("'native' is clock, not " + quoted(item.value.word), item.value.column,
                      "as in node(native=clock)");
    spec.options.push_back({"native", 0, false, "clock", {}});
  }

  /// groups(X), groups(G, X), groups(G, outer=X, inner=Y); auto for G says no more than nothing.
  Spec groups(const SpecPhrase& phrase) const {
    Spec spec{"groups", {}, {}};
    Levels levels;
    std::span items(phrase.items);
    if (!items.empty() && items[0].key.empty() && items[0].value.number) {
      SpecItem count = items[0];
      count.key = "groups";
      add_option(spec, count, number(count, 1, most_groups), false);
    }
    if (!items.empty() && (spec.option("groups") || is_auto(items[0]))) items = items.subspan(1);
    for (const SpecItem& item : items) {
      if (item.key == "latency")
        add_latency(spec, item);
      else
        add_level(levels, item);
    }
    settle_levels(spec, levels, phrase.column);
    return spec;
  }

  /// What groups were given for their levels.
  struct Levels {
    std::optional<Spec> both, outer, inner;
  };

  static bool is_auto(const SpecItem& item) {
    return item.key.empty() && item.value.word == "auto" && item.value.items.empty();
  }

  /// What decides whether groups pay, where their number is not given.
  static void add_latency(Spec& spec, const SpecItem& item) {
    if (spec.option("groups"))
      throw SpecError("'latency' decides whether groups pay; their number is given here", item.column,
                      "as in groups(auto, ring, latency=16K)");
    add_option(spec, item, number(item, 1, most_bytes), true);
  }

  void add_level(Levels& levels, const SpecItem& item) const {
    if (!item.key.empty() && item.key != "outer" && item.key != "inner")
      fail_option(item, "groups", {"outer", "inner", "latency"});
    if (item.value.number) throw SpecError("the number of groups comes first", item.value.column, groups_usage);
    std::optional<Spec>& level = item.key.empty() ? levels.both : item.key == "outer" ? levels.outer : levels.inner;
    if (level && item.key.empty()) throw SpecError(one_or_two_levels, item.column, groups_usage);
    if (level) throw SpecError(quoted(item.key) + " stands twice", item.column);
    level = in_groups(item);
  }

  /// The algorithm of one level, or of both: then inside groups those of the same name.
  Spec in_groups(const SpecItem& item) const {
    const SpecPhrase& phrase = item.value;
    if (phrase.word == "native") return native(phrase);
    const std::vector<const Algorithm*> inside = inside_groups(collective_), between = between_groups(collective_);
    std::vector<const Algorithm*> valid = item.key == "inner" ? inside : between, named;
    if (std::ranges::find(valid, phrase.word, &Algorithm::name) == valid.end()) fail_in_groups(item, valid);
    if (item.key.empty()) valid.insert(valid.end(), inside.begin(), inside.end());
    for (const Algorithm* algorithm : valid)
      if (algorithm->name == phrase.word) named.push_back(algorithm);
    return flat(phrase, named);
  }

  [[noreturn]] void fail_in_groups(const SpecItem& item, const std::vector<const Algorithm*>& valid) const {
    Words words;
    for (const Algorithm* algorithm : valid)
      if (std::ranges::find(words, algorithm->name) == words.end()) words.push_back(algorithm->name);
    const std::string level = item.key == "inner"   ? " inside groups"
                              : item.key == "outer" ? " between groups"
                                                    : " in groups";
    throw SpecError("unknown algorithm " + quoted(item.value.word) + " for " + std::string(name(collective_)) + level,
                    item.value.column, suggestion(item.value.word, words));
  }

  /// One algorithm for both levels, or one for each; outer first; the same one twice is written once.
  static void settle_levels(Spec& spec, Levels& levels, std::size_t column) {
    const bool two = levels.outer && levels.inner, neither = !levels.outer && !levels.inner;
    if (levels.both ? !neither : !two) throw SpecError(one_or_two_levels, column, groups_usage);
    if (two && levels.outer == levels.inner) levels.both = std::move(levels.outer);
    if (levels.both) {
      spec.arguments.push_back(std::move(*levels.both));
      return;
    }
    spec.options.push_back({"outer", 0, false, {}, {std::move(*levels.outer)}});
    spec.options.push_back({"inner", 0, false, {}, {std::move(*levels.inner)}});
  }

  /// One algorithm, or several of one name: a parameter is one of whichever has it.
  static Spec flat(const SpecPhrase& phrase, const std::vector<const Algorithm*>& algorithms) {
    Spec given{phrase.word, {}, {}};
    std::vector<ParameterInfo> parameters;
    for (const Algorithm* algorithm : algorithms)
      for (const ParameterInfo& parameter : algorithm->parameters)
        if (std::ranges::find(parameters, parameter.name, &ParameterInfo::name) == parameters.end())
          parameters.push_back(parameter);
    Words names;
    for (const ParameterInfo& parameter : parameters) names.push_back(parameter.name);
    for (const SpecItem& item : phrase.items) {
      const auto found = std::ranges::find(parameters, item.key, &ParameterInfo::name);
      if (item.key.empty() || found == parameters.end()) fail_option(item, phrase.word, names);
      add_option(given, item, number(item, found->least, found->most), found->kind == ParameterInfo::Kind::segment);
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
    if (has_groups(collective_)) valid.push_back("groups");
    valid.push_back("native");
    if (phrase.word == "groups")
      throw SpecError("there are no groups for " + std::string(name(collective_)), phrase.column,
                      "name one of its algorithms");
    const auto where = place == Place::top ? ""s : " between nodes"s;
    const bool variant = place == Place::between_nodes && is_variant(collective_, phrase.word);
    throw SpecError("unknown algorithm " + quoted(phrase.word) + " for " + std::string(name(collective_)) + where,
                    phrase.column,
                    variant ? "as in node(variant=" + phrase.word + ")" : suggestion(phrase.word, valid));
  }

  Collective collective_;
};

}  // namespace

Spec parse_spec(std::string_view text, Collective collective) {
  return Checker(collective).check(read_phrase(text), Place::top);
}

}  // namespace tutti

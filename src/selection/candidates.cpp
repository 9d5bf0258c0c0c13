#include "selection/candidates.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/borders.hpp"
#include "selection/named.hpp"
#include "selection/stand_ins.hpp"
#include "shm/variants/variants.hpp"

namespace tutti {
namespace {

/// Nodes of as many ranks have blocks of one size there, where ranks have.
constexpr bool block_a_rank(Collective which) {
  const Contract& rules = contract(which);
  return !irregular(which) && (rules.send.shape == Shape::row || rules.receive.shape == Shape::row);
}

/// Groups of the MPI library's own collective are no schedule.
constexpr const char* native_groups = "groups of the MPI library's own collective are not served yet";

/// Over messages and on several nodes a request moves on while its ranks are in MPI calls, a blocking call all the
/// time: on an emulated cluster of 4 x 4 an iallreduce by the rules that make allreduce faster took twice native's
/// time.
constexpr const char* blocking_alone =
    "the rule is for blocking calls, with which it was measured (calls = \"all\" in it makes it serve all)";

/// The specs of one placement become candidates here.
class Maker {
 public:
  Maker(const Settings& settings, const Placement& placement, std::string_view library, bool requests)
      : settings_(settings), placement_(placement), library_(letters_of_library(library)), requests_(requests) {}

  /// `prefix`: of the variable.
  Candidate from_setting(Collective collective, const std::string& text, const char* prefix = "TUTTI_") const {
    Candidate candidate = make(collective, parse_spec(text, collective));
    candidate.choice.reason = prefix + std::string(name(collective));
    for (char& letter : candidate.choice.reason)
      letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return candidate;
  }

  Candidate from_rule(const Rule& rule, const std::string& file) const {
    Candidate candidate = make(rule.collective, rule.spec);
    candidate.size = rule.size;
    candidate.choice.because = rule.because;
    candidate.choice.reason = file + " line " + std::to_string(rule.line);
    if (candidate.excluded.empty() && rule.places && reproducible(rule.collective))
      candidate.excluded = "TUTTI_REPRODUCIBLE: the rule depends on the placement";
    if (candidate.excluded.empty() && requests_ && !rule.all_calls && over_messages(candidate.choice))
      candidate.excluded = blocking_alone;
    return candidate;
  }

  /// A rule that was measured at another layout.  More senders than a node has ranks here are all of its ranks.
  Candidate from_elsewhere(Rule rule, const std::string& file) const {
    std::erase_if(rule.spec.options, [&](Spec::Option& option) {
      if (option.name != "senders") return false;
      option.number = std::min<long long>(option.number, placement_.least_per_node);
      return option.number <= 1;
    });
    Candidate candidate = from_rule(rule, file);
    candidate.choice.reason +=
        ", measured at " + std::to_string(rule.ranks.least) + " ranks: the nearest layout of the profile";
    return candidate;
  }

  bool library_matches(const Rule& rule) const { return library_.find(rule.mpi) != std::string::npos; }

  bool matches(const Rule& rule) const {
    if (!library_matches(rule)) return false;
    if (reproducible(rule.collective) && rule.places) return rule.ranks.contains(placement_.ranks);
    return rule.nodes.contains(placement_.nodes) && rule.ranks.contains(placement_.ranks) &&
           rule.ppn.contains(placement_.most_per_node) &&
           rule.shares_cpus.value_or(placement_.shares_cpus) == placement_.shares_cpus;
  }

  /// The fallback without a setting and a rule.
  Candidate last(Collective collective) const {
    if (reproducible(collective) && placement_.ranks > 1) {
      Candidate candidate = make(collective, {std::string(stand_in(collective).name), {}, {}});
      candidate.choice.reason = "TUTTI_REPRODUCIBLE";
      return candidate;
    }
    Candidate candidate;
    candidate.choice = choice_of({"native", {}, {}}, collective, placement_);
    candidate.choice.reason = placement_.ranks == 1 ? "one rank" : "nothing measured";
    return candidate;
  }

 private:
  static bool over_messages(const Choice& choice) {
    return choice.kind == Choice::Kind::flat || choice.kind == Choice::Kind::hierarchy;
  }
  bool reproducible(Collective collective) const { return settings_.reproducible && reduces(collective); }

  Candidate make(Collective collective, const Spec& spec) const {
    Candidate candidate;
    candidate.choice = choice_of(spec, collective, placement_);
    if (const Algorithm* algorithm = candidate.choice.algorithm)  // the other constraints are of the placement
      candidate.needs = {.commutative = algorithm->constraints.commutative,
                         .least_count = algorithm->constraints.least_count};
    // Operands of a node are combined first: in rank order only where no other node's ranks lie between them.
    if (candidate.choice.kind == Choice::Kind::hierarchy && reduces(collective) && !placement_.consecutive)
      candidate.needs.commutative = true;
    candidate.excluded = obstacle(collective, candidate.choice);
    return candidate;
  }

  /// Why the choice cannot serve at this placement; empty where it can.
  std::string obstacle(Collective collective, const Choice& choice) const {
    if (choice.kind == Choice::Kind::flat) {
      if (std::string why = obstacle_to_groups(choice.spec, placement_.ranks, "rank"); !why.empty()) return why;
      return tutti::obstacle(choice.algorithm->constraints, {.ranks = placement_.ranks,
                                                             .equal_blocks = !irregular(collective),
                                                             .reproducible = reproducible(collective)});
    }
    if (reproducible(collective)) return "TUTTI_REPRODUCIBLE: the order of operations may depend on the placement";
    if (choice.kind == Choice::Kind::node && placement_.nodes > 1)
      return "the ranks are on " + std::to_string(placement_.nodes) + " nodes";
    if (choice.kind == Choice::Kind::node) return obstacle_to_variant(collective, choice);
    if (choice.kind == Choice::Kind::hierarchy) return obstacle_between_nodes(collective, choice);
    return choice.spec.name == "groups" ? native_groups : "";
  }

  /// As far as the placement tells: what else a variant needs, the engine knows (shm/variants).
  std::string obstacle_to_variant(Collective collective, const Choice& choice) const {
    const shm::VariantRow* const row = shm::find_variant(collective, choice.variant);
    if (row == nullptr || placement_.ranks <= row->limits.most_members) return "";
    return "the variant is of " + std::to_string(row->limits.most_members) + " ranks";
  }

  std::string obstacle_between_nodes(Collective collective, const Choice& choice) const {
    const Spec& between = choice.spec.arguments[0];
    if (!choice.algorithm && between.name != "native") return native_groups;
    if (placement_.nodes == 1) return "the ranks are on one node";
    if (choice.senders > placement_.least_per_node)
      return "the smallest node has only " + std::to_string(placement_.least_per_node) +
             (placement_.least_per_node == 1 ? " rank to send" : " ranks to send");
    if (!placement_.consecutive && (collective == Collective::scan || collective == Collective::exscan))
      return "the ranks of a node are not consecutive";
    if (!choice.algorithm) return "";
    if (std::string why = obstacle_to_groups(between, placement_.nodes, "node"); !why.empty()) return why;
    const bool alike = placement_.most_per_node == placement_.least_per_node;
    return tutti::obstacle(choice.algorithm->constraints,
                           {.ranks = placement_.nodes,
                            .equal_blocks = !irregular(collective) && (alike || !block_a_rank(collective)),
                            .reproducible = reproducible(collective),
                            .who = "node"});
  }

  const Settings& settings_;
  const Placement& placement_;
  const std::string library_;
  const bool requests_;
};

/// The shipped rules, parsed once in a process.
const std::vector<Rule>& default_rules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Warning> none;
    return parse_profile(default_profile(), "default.toml", none);
  }();
  return rules;
}

void add_rules(const std::vector<Rule>& rules, const std::string& file, const Maker& maker, Candidates& all) {
  for (const Rule& rule : rules)
    if (maker.matches(rule)) all[static_cast<std::size_t>(rule.collective)].push_back(maker.from_rule(rule, file));
}

/// How far a placement is from what a rule was measured at: the largest factor between nodes, ranks a node, or ranks.
/// Nothing where the rule is no measurement of one layout, or one of both is a single node.
std::optional<double> distance(const Rule& rule, const Placement& placement) {
  if (!rule.measured || rule.ranks.least != rule.ranks.most || rule.ranks.least < 1) return std::nullopt;
  if (rule.nodes.contains(1) != (placement.nodes == 1)) return std::nullopt;
  const auto factor = [](const Range& range, int here) {
    const auto value = static_cast<std::int64_t>(here);
    const std::int64_t there = std::max<std::int64_t>(1, std::clamp(value, range.least, range.most));
    return static_cast<double>(std::max(value, there)) / static_cast<double>(std::min(value, there));
  };
  return std::max({factor(rule.nodes, placement.nodes), factor(rule.ppn, placement.most_per_node),
                   factor(rule.ranks, placement.ranks)});
}

/// Where no rule of the profile is about this layout, those of the nearest measured one serve, and say so; then those
/// of the next, for what cannot serve here.
void add_nearest(const std::vector<Rule>& rules, const std::string& file, const Maker& maker,
                 const Placement& placement, Candidates& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<std::pair<double, std::size_t>> near;  // how far, and which: of one layout in their order
    bool known = false;
    for (std::size_t which = 0; which < rules.size(); ++which) {
      const Rule& rule = rules[which];
      if (static_cast<std::size_t>(rule.collective) != i || !maker.library_matches(rule)) continue;
      known = known || maker.matches(rule);
      if (const auto away = distance(rule, placement); away && *away <= borders::nearest_layout)
        near.emplace_back(*away, which);
    }
    if (known) continue;
    std::ranges::sort(near);
    for (const auto& [away, which] : near) all[i].push_back(maker.from_elsewhere(rules[which], file));
  }
}

}  // namespace

namespace {

/// A variant that copies once, or as the clock says, does so as `single_copy=1` and `copy=clock` do.
void name_variant(Choice& choice, const Spec::Option& option, Collective collective, const Placement& placement) {
  choice.variant = shm::find_variant(collective, option.word)->variant;
  const shm::Borders borders = shm::asking(choice.variant, borders::clock_from(placement.most_per_node));
  choice.single_copy = borders.single_copy, choice.by_clock = borders.by_clock;
}

}  // namespace

Choice choice_of(const Spec& spec, Collective collective, const Placement& placement) {
  Choice choice;
  choice.spec = spec;
  choice.text = to_text(spec);
  const bool in_nodes = spec.name == "node", between_nodes = in_nodes && !spec.arguments.empty();
  const Spec& named = between_nodes ? spec.arguments[0] : spec;
  choice.ranks = placement.ranks, choice.members = between_nodes ? placement.nodes : placement.ranks;
  choice.algorithm = algorithm_named(named, collective);
  if (choice.algorithm && groups_follow_size(named)) choice.gain = gain_of(*choice.algorithm);
  if (between_nodes)
    choice.kind = Choice::Kind::hierarchy;
  else if (in_nodes)
    choice.kind = Choice::Kind::node;
  else if (choice.algorithm)
    choice.kind = Choice::Kind::flat;
  if (const Spec::Option* from = spec.option("single_copy"))
    choice.single_copy = static_cast<std::size_t>(from->number);
  if (spec.option("copy")) choice.by_clock = borders::clock_from(placement.most_per_node);
  choice.contested = spec.option("native") != nullptr;
  if (const Spec::Option* variant = spec.option("variant")) name_variant(choice, *variant, collective, placement);
  if (const Spec::Option* overlap = spec.option("overlap")) choice.overlap = overlap->number;
  if (const Spec::Option* direct = spec.option("direct")) choice.direct = direct->number;
  if (const Spec::Option* senders = spec.option("senders")) choice.senders = static_cast<int>(senders->number);
  return choice;
}

Candidate make_candidate(const Settings& settings, const Placement& placement, Collective collective,
                         const std::string& spec) {
  return Maker(settings, placement, "", false).from_setting(collective, spec);
}

Candidates make_candidates(const Settings& settings, const Placement& placement, std::string_view library,
                           std::vector<Warning>& warnings, bool requests) {
  Candidates all;
  const Maker maker(settings, placement, library, requests);
  const auto profile = settings.profile_text.empty() ? std::vector<Rule>{}
                                                     : parse_profile(settings.profile_text, settings.profile, warnings);
  if (placement.ranks > 1) {
    if (requests)
      for (const auto& [collective, text] : settings.request_specs)
        all[static_cast<std::size_t>(collective)].push_back(maker.from_setting(collective, text, "TUTTI_I"));
    for (const auto& [collective, text] : settings.specs)
      all[static_cast<std::size_t>(collective)].push_back(maker.from_setting(collective, text));
    const std::string file = std::filesystem::path(settings.profile).filename().string();
    add_rules(profile, file, maker, all);
    add_nearest(profile, file, maker, placement, all);
    add_rules(default_rules(), "default.toml", maker, all);
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i].push_back(maker.last(static_cast<Collective>(i)));
  return all;
}

}  // namespace tutti

#include "selection/choice.hpp"

#include "bindings.hpp"
#include "selection/profile.hpp"

namespace tutti::bindings {
namespace {

std::vector<std::string> texts(const std::vector<Warning>& warnings) {
  std::vector<std::string> all;
  for (const Warning& warning : warnings) all.push_back(warning.text);
  return all;
}

/// A selector and what it had to say about the profile.
struct Chooser {
  Chooser(const Settings& settings, const Placement& placement, std::string_view library)
      : selector(settings, placement, warnings, library) {}
  std::vector<Warning> warnings;
  Selector selector;
};

Placement placement_of(int ranks, int nodes, std::optional<int> most, std::optional<int> least, bool consecutive,
                       bool shares_cpus) {
  if (ranks < 1 || nodes < 1 || nodes > ranks) throw nb::value_error("a placement has 1 <= nodes <= ranks");
  const Placement placement{
      ranks, nodes, most.value_or((ranks - 1) / nodes + 1), least.value_or(ranks / nodes), consecutive, shares_cpus};
  if (placement.least_per_node < 1 || placement.least_per_node > placement.most_per_node)
    throw nb::value_error("a placement has 1 <= least_per_node <= most_per_node");
  return placement;
}

const char* kind_of(const Choice& choice) {
  using enum Choice::Kind;
  return choice.kind == flat        ? "flat"
         : choice.kind == node      ? "node"
         : choice.kind == hierarchy ? "hierarchy"
                                    : "native";
}

/// None where a rule does not ask for it, or beyond its upper end.
nb::object range_of(const Range& range) {
  const bool open = range.most == std::numeric_limits<std::int64_t>::max();
  return nb::make_tuple(range.least, open ? nb::object(nb::none()) : nb::object(nb::int_(range.most)));
}

nb::dict row_of(const Rule& rule) {
  nb::dict row;
  row["collective"] = name(rule.collective);
  row["use"] = to_text(rule.spec);
  row["spec"] = parts_of(rule.spec);
  row["nodes"] = range_of(rule.nodes), row["ranks"] = range_of(rule.ranks), row["ppn"] = range_of(rule.ppn);
  row["size"] = rule.size ? range_of(*rule.size) : nb::object(nb::none());
  row["cpus"] = !rule.shares_cpus ? "" : *rule.shares_cpus ? "shared" : "own";
  row["mpi"] = rule.mpi, row["because"] = rule.because;
  row["line"] = rule.line, row["index"] = rule.index;
  return row;
}

void add_profiles(nb::module_& module) {
  module.def(
      "profile_rules",
      [](std::string_view text, const std::string& file) {
        std::vector<Warning> warnings;
        nb::list rows;
        for (const Rule& rule : parse_profile(text, file, warnings)) rows.append(row_of(rule));
        return nb::make_tuple(rows, texts(warnings));
      },
      "text"_a, "file"_a = "profile",
      "(the sound rules of a profile, in order; one sentence for each other).  Ranges are (least, most), and most is "
      "None where there is no end; `spec` is as spec_parts gives it; `index` counts all rules of the file.");
  module.def(
      "mpi_letters", [](std::string_view library) { return letters_of_library(library); }, "name"_a,
      "What two ways of writing an MPI library's name have in common.");
  module.def("default_profile", &default_profile, "Text of the rules that ship with tutti (TOML).");
  module.def(
      "check_profile",
      [](std::string_view text, const std::string& file) {
        std::vector<Warning> warnings;
        parse_profile(text, file, warnings);
        return texts(warnings);
      },
      "text"_a, "file"_a = "profile", "One sentence for each unsound rule of a profile, with file, line and column.");
}

}  // namespace

void add_choice(nb::module_& module) {
  nb::class_<Choice>(module, "Choice", "Which spec serves a call, and why.")
      .def_prop_ro("kind", &kind_of,
                   "'native', 'flat', 'node' or 'hierarchy' (the node engine inside nodes, an algorithm between)")
      .def_ro("text", &Choice::text, "the spec")
      .def_ro("reason", &Choice::reason, "'TUTTI_ALLREDUCE', 'cluster.toml line 12', 'nothing measured'")
      .def_ro("because", &Choice::because, "the rule's own words; '' where it has none")
      .def_ro("excluded", &Choice::excluded, "what was asked before and could not serve: 'ring: why'");

  nb::class_<Chooser>(module, "Selector", "Settings and rules at one placement of ranks on nodes.")
      .def(
          "__init__",
          [](Chooser* self, const Settings& settings, int ranks, int nodes, std::optional<int> most,
             std::optional<int> least, std::string_view library, bool consecutive, bool shares_cpus) {
            new (self) Chooser(settings, placement_of(ranks, nodes, most, least, consecutive, shares_cpus), library);
          },
          "settings"_a, "ranks"_a, "nodes"_a = 1, "most_per_node"_a = nb::none(), "least_per_node"_a = nb::none(),
          "library"_a = "", "consecutive"_a = true, "shares_cpus"_a = false,
          "`consecutive`: every node's ranks are an interval of ranks.  `shares_cpus`: some node has more ranks than "
          "CPUs.")
      .def_prop_ro(
          "warnings", [](const Chooser& self) { return texts(self.warnings); }, "about the profile's unsound rules")
      .def(
          "choose",
          [](Chooser& self, std::string_view which, std::int64_t bytes, bool commutative) {
            return self.selector.choose({.collective = collective(which), .bytes = bytes, .commutative = commutative});
          },
          "collective"_a, "bytes"_a = -1, "commutative"_a = true,
          "The choice for a call of `bytes` (-1: the ranks do not all know it).");

  add_profiles(module);
}

}  // namespace tutti::bindings

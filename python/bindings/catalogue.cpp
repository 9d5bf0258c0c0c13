#include "algorithms/catalogue.hpp"

#include <algorithm>

#include "algorithms/grouped/grouped.hpp"
#include "bindings.hpp"
#include "selection/named.hpp"

namespace tutti::bindings {

Collective collective(std::string_view word) {
  if (const auto which = collective_named(word)) return *which;
  const std::vector<std::string_view> valid(collective_names.begin(), collective_names.end());
  throw nb::value_error(("unknown collective " + quoted(word) + did_you_mean(word, valid)).c_str());
}

namespace {

nb::dict constraints_of(const Algorithm& entry) {
  const Constraints& constraints = entry.constraints;
  nb::dict all;
  all["commutative"] = constraints.commutative;
  all["power_of_two"] = constraints.power_of_two;
  all["even"] = constraints.even;
  all["regular"] = constraints.regular;
  all["least_ranks"] = constraints.least_ranks;
  all["least_count"] = constraints.least_count;
  all["by_arrival"] = constraints.by_arrival;
  all["one_ported"] = constraints.one_ported;
  return all;
}

void add_parameter(nb::module_& module) {
  nb::class_<ParameterInfo>(module, "Parameter", "A parameter of an algorithm: name, kind, least, most, standard.")
      .def_ro("name", &ParameterInfo::name)
      .def_prop_ro(
          "kind",
          [](const ParameterInfo& info) { return info.kind == ParameterInfo::Kind::segment ? "segment" : "integer"; },
          "'integer', or 'segment': bytes, as in segment=64K")
      .def_ro("least", &ParameterInfo::least)
      .def_ro("most", &ParameterInfo::most)
      .def_ro("standard", &ParameterInfo::standard, "the value where a spec gives none");
}

void add_algorithm(nb::module_& module) {
  nb::class_<Algorithm>(module, "Algorithm", "One line of the catalogue.")
      .def_prop_ro("collective", [](const Algorithm& entry) { return name(entry.collective); })
      .def_ro("name", &Algorithm::name)
      .def_prop_ro("parameters",
                   [](const Algorithm& entry) {
                     return std::vector<ParameterInfo>(entry.parameters.begin(), entry.parameters.end());
                   })
      .def_prop_ro(
          "needs", [](const Algorithm& entry) { return needs(entry.constraints); },
          "what it asks of a call, in words: ['a commutative operator']")
      .def_prop_ro("constraints", &constraints_of, "the same by name and value")
      .def(
          "obstacle",
          [](const Algorithm& entry, int ranks) {
            return obstacle(entry.constraints, {.ranks = ranks, .equal_blocks = true});
          },
          "ranks"_a, "why it does not run on that number of ranks; '' where it does")
      .def_ro("cost", &Algorithm::cost, "in Hockney's model, the paper's m")
      .def_prop_ro(
          "source", [](const Algorithm& entry) { return entry.source.text; }, "paper and section")
      .def_prop_ro(
          "mpich_1_2_4", [](const Algorithm& entry) { return entry.source.mpich_1_2_4; },
          "MPICH 1.2.4 did so: what Thakur & Gropp compare with")
      .def("__repr__", [](const Algorithm& entry) {
        return "<" + std::string(name(entry.collective)) + " " + std::string(entry.name) + ">";
      });
}

/// Each once, though it may be of two collectives.
std::vector<std::string_view> names_of(const std::vector<const Algorithm*>& algorithms) {
  std::vector<std::string_view> names;
  for (const Algorithm* algorithm : algorithms)
    if (std::ranges::find(names, algorithm->name) == names.end()) names.push_back(algorithm->name);
  return names;
}

}  // namespace

void add_catalogue(nb::module_& module) {
  add_parameter(module);
  add_algorithm(module);
  module.def(
      "collectives", [] { return std::vector<std::string_view>(collective_names.begin(), collective_names.end()); },
      "Names of the collectives, in the catalogue's order.");
  module.def(
      "catalogue",
      [] {
        const auto all = catalogue();
        return std::vector<Algorithm>(all.begin(), all.end());
      },
      "Every algorithm, ordered by collective.");
  module.def(
      "algorithm",
      [](std::string_view which, std::string_view text) {
        const Spec spec = parse_spec(text, collective(which));
        const Algorithm* found = algorithm_named(spec, collective(which));
        return found ? std::optional(*found) : std::nullopt;
      },
      "collective"_a, "spec"_a,
      "The algorithm that a spec names: of the catalogue, or composed, as groups(4, chain); None for others.  Raises "
      "SpecError.");
  module.def(
      "composed",
      [] {
        nb::list all;
        for (std::size_t i = 0; i < collective_names.size(); ++i) {
          const auto which = static_cast<Collective>(i);
          if (!has_groups(which)) continue;
          nb::dict row;
          row["collective"] = collective_names[i];
          row["outer"] = names_of(between_groups(which));
          row["inner"] = names_of(inside_groups(which));
          all.append(row);
        }
        return all;
      },
      "For each collective that has compositions in groups: the algorithms that `outer` and `inner` may name.");
}

}  // namespace tutti::bindings

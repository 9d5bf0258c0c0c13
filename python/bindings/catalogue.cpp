#include "algorithms/catalogue.hpp"

#include "bindings.hpp"
#include "selection/spec.hpp"

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
}

}  // namespace tutti::bindings

#include "algorithms/catalogue.hpp"

#include "bindings.hpp"
#include "selection/spec.hpp"

namespace tutti::bindings {

Collective collective(std::string_view word) {
  if (const auto which = collective_named(word)) return *which;
  const std::vector<std::string_view> valid(collective_names.begin(), collective_names.end());
  throw nb::value_error(("unknown collective " + quoted(word) + did_you_mean(word, valid)).c_str());
}

void add_catalogue(nb::module_& module) {
  nb::class_<ParameterInfo>(module, "Parameter", "A parameter of an algorithm: name, kind, least, most, standard.")
      .def_ro("name", &ParameterInfo::name)
      .def_prop_ro(
          "kind",
          [](const ParameterInfo& info) { return info.kind == ParameterInfo::Kind::segment ? "segment" : "integer"; },
          "'integer', or 'segment': bytes, as in segment=64K")
      .def_ro("least", &ParameterInfo::least)
      .def_ro("most", &ParameterInfo::most)
      .def_ro("standard", &ParameterInfo::standard, "the value where a spec gives none");

  nb::class_<Algorithm>(module, "Algorithm", "One line of the catalogue.")
      .def_prop_ro("collective", [](const Algorithm& entry) { return name(entry.collective); })
      .def_ro("name", &Algorithm::name)
      .def_prop_ro("parameters",
                   [](const Algorithm& entry) {
                     return std::vector<ParameterInfo>(entry.parameters.begin(), entry.parameters.end());
                   })
      .def_prop_ro(
          "commutative", [](const Algorithm& entry) { return entry.constraints.commutative; },
          "needs a commutative operator")
      .def_prop_ro(
          "power_of_two", [](const Algorithm& entry) { return entry.constraints.power_of_two; },
          "needs a power of two of ranks")
      .def_prop_ro(
          "regular", [](const Algorithm& entry) { return entry.constraints.regular; },
          "needs equal blocks on all ranks")
      .def_ro("cost", &Algorithm::cost, "in Hockney's model, the paper's m")
      .def_ro("source", &Algorithm::source, "paper and section")
      .def("__repr__", [](const Algorithm& entry) {
        return "<" + std::string(name(entry.collective)) + " " + std::string(entry.name) + ">";
      });

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

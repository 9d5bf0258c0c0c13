#pragma once
/// tutti._core: one function a file, each adds one area to the module.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "algorithms/catalogue.hpp"
#include "core/collective.hpp"
#include "core/schedule.hpp"
#include "selection/spec.hpp"

namespace tutti::bindings {

namespace nb = nanobind;
using nb::literals::operator""_a;

void add_catalogue(nb::module_& module);
void add_contract(nb::module_& module);
void add_goal(nb::module_& module);
void add_simulation(nb::module_& module);
void add_study(nb::module_& module);
void add_timeline(nb::module_& module);
void add_spec(nb::module_& module);
void add_settings(nb::module_& module);
void add_choice(nb::module_& module);
void add_models(nb::module_& module);
void add_node(nb::module_& module);
void add_messages(nb::module_& module);
void add_symbols(nb::module_& module);

/// An algorithm with its parameters for a call of some bytes on some ranks.
struct Flat {
  const Algorithm& algorithm;
  Parameters parameters;
};
/// Throws SpecError, or ValueError where the spec has no schedule of its own.
Flat flat(std::string_view collective, std::string_view spec, int ranks, std::int64_t bytes);

/// A spec as a dictionary: name, arguments, options.
nb::dict parts_of(const Spec& spec);

/// Throws ValueError, naming the nearest, on a name that is none.
Collective collective(std::string_view name);

}  // namespace tutti::bindings

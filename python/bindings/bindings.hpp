#pragma once
/// tutti._core: one function a file, each adds one area to the module.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "core/collective.hpp"
#include "core/schedule.hpp"

namespace tutti::bindings {

namespace nb = nanobind;
using nb::literals::operator""_a;

void add_catalogue(nb::module_& module);
void add_study(nb::module_& module);
void add_timeline(nb::module_& module);
void add_spec(nb::module_& module);
void add_settings(nb::module_& module);
void add_choice(nb::module_& module);
void add_node(nb::module_& module);

/// A flat algorithm with its parameters for a call of some bytes.
struct Flat {
  Collective collective;
  std::string name;
  Parameters parameters;
};
/// Throws SpecError, or ValueError where the spec is of no flat algorithm.
Flat flat(std::string_view collective, std::string_view spec, std::int64_t bytes);

/// Throws ValueError, naming the nearest, on a name that is none.
Collective collective(std::string_view name);

}  // namespace tutti::bindings

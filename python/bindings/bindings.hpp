#pragma once
/// tutti._core: one function a file, each adds one area to the module.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "core/collective.hpp"

namespace tutti::bindings {

namespace nb = nanobind;
using nb::literals::operator""_a;

void add_catalogue(nb::module_& module);
void add_study(nb::module_& module);
void add_spec(nb::module_& module);
void add_settings(nb::module_& module);
void add_choice(nb::module_& module);

/// Throws ValueError, naming the nearest, on a name that is none.
Collective collective(std::string_view name);

}  // namespace tutti::bindings

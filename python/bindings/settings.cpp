#include "selection/settings.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>

#include <map>

#include "bindings.hpp"

namespace tutti::bindings {
namespace {

/// Settings that an environment gives, and the sentences about those it does not.
std::pair<Settings, std::vector<std::string>> read(const std::map<std::string, std::string>& environment) {
  const auto lookup = [&](const char* variable) {
    const auto found = environment.find(variable);
    return found == environment.end() ? nullptr : found->second.c_str();
  };
  std::vector<std::string> variables, texts;
  for (const auto& [variable, value] : environment) variables.push_back(variable);
  std::vector<Warning> warnings;
  Settings settings = read_settings(lookup, variables, warnings);
  for (Warning& warning : warnings) texts.push_back(std::move(warning.text));
  return {std::move(settings), std::move(texts)};
}

std::string value(const Settings& settings, std::string_view variable) try {
  return setting_value(settings, variable);
} catch (const std::out_of_range& error) {
  throw nb::key_error(error.what());
}

}  // namespace

void add_settings(nb::module_& module) {
  nb::class_<SettingInfo>(module, "Setting", "What the manual says of one variable.")
      .def_ro("variable", &SettingInfo::variable)
      .def_ro("standard", &SettingInfo::standard, "default as a user would write it")
      .def_ro("help", &SettingInfo::help)
      .def_ro("example", &SettingInfo::example);
  nb::class_<Settings>(module, "Settings", "The value of every variable.")
      .def("value", &value, "variable"_a, "As a user would write it; '' where there is none.  Raises KeyError.");

  module.def(
      "settings_manual",
      [] {
        const auto manual = settings_manual();
        return std::vector<SettingInfo>(manual.begin(), manual.end());
      },
      "Every variable that a user can set.");
  module.def("read_settings", &read, "environment"_a,
             "(Settings, warnings) of a dictionary such as dict(os.environ); reads the file of TUTTI_PROFILE.  What "
             "cannot be used is left out, with one sentence each.");
}

}  // namespace tutti::bindings

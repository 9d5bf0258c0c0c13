#pragma once
/// Every variable a user can set: one documented struct, from which `tutti settings` and the manual are made.
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/collective.hpp"

namespace tutti {

/// One sentence for the user about a setting that could not be used, printed once, by rank 0.
struct Warning {
  std::string text;
};

struct Settings {
  bool on = true;                                 ///< TUTTI=off leaves every call alone
  std::string profile;                            ///< TUTTI_PROFILE=FILE
  std::map<Collective, std::string> specs;        ///< TUTTI_<COLLECTIVE>=SPEC, checked
  bool explain = false;                           ///< TUTTI_EXPLAIN=1: first choice of each kind, rank 0; a summary at the end
  std::string log;                                ///< TUTTI_LOG=FILE.%h.%p
  bool layer_pmpi = false;                        ///< TUTTI_LAYER=pmpi: serve PMPI_X instead of MPI_X (beneath another tool)
  bool reproducible = false;                      ///< TUTTI_REPRODUCIBLE=1
  std::int64_t node_memory = 0;                   ///< TUTTI_NODE_MEMORY=64M: cap of shared memory a node; 0: the default rule
  int window = 32;                                ///< TUTTI_WINDOW=32: steps the executor looks ahead
  std::string profile_text;                       ///< contents of the profile, read by the reading rank

  bool operator==(const Settings&) const = default;
};

/// The documentation of one variable, and its value as text.
struct SettingInfo {
  std::string_view variable;   ///< "TUTTI_WINDOW"
  std::string_view standard;   ///< default as a user would write it
  std::string_view help;       ///< one or two sentences
  std::string_view example;
};
std::span<const SettingInfo> settings_manual();

/// Reads TUTTI and TUTTI_* through `lookup` (getenv in a process, a dictionary in tests).  Never throws: an unusable
/// value is left at what it would have been without it, with one warning that names the variable, the word and
/// the nearest valid one.  `variables`: all names present, so that a misspelt variable is noticed as well.
Settings read_settings(const std::function<const char*(const char*)>& lookup,
                       const std::vector<std::string>& variables, std::vector<Warning>& warnings);

/// One text for all ranks: settings, with the profile's contents.  parse_settings(to_text(s)) == s.
std::string to_text(const Settings& settings);
Settings parse_settings(std::string_view text);

}  // namespace tutti

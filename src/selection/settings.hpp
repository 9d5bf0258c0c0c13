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

#include "core/contract.hpp"
#include "shm/learners.hpp"

namespace tutti {

/// One sentence for the user about a setting that could not be used, printed once, by rank 0, after "tutti: ".
struct Warning {
  std::string text;
};

struct Settings {
  bool on = true;                                   ///< TUTTI=off leaves every call alone
  std::string profile;                              ///< TUTTI_PROFILE=FILE
  std::map<Collective, std::string> specs;          ///< TUTTI_<COLLECTIVE>=SPEC, checked, canonical
  std::map<Collective, std::string> request_specs;  ///< TUTTI_I<COLLECTIVE>=SPEC: of nonblocking and persistent calls
  bool explain = false;          ///< TUTTI_EXPLAIN=1: first choice of each kind, rank 0; a summary at the end
  std::string log;               ///< TUTTI_LOG=FILE.%h.%p
  bool layer_pmpi = false;       ///< TUTTI_LAYER=pmpi: of earlier versions; both names are served anyway
  bool gpu_host = false;         ///< TUTTI_GPU=host: collectives get no device memory, whatever else is in the process
  bool reproducible = false;     ///< TUTTI_REPRODUCIBLE=1
  bool online = false;           ///< TUTTI_TUNE=online: candidates are tried in the program's first calls
  std::string learned;           ///< TUTTI_TUNE_OUTPUT=FILE: where what was learned is written, at the end
  std::int64_t node_memory = 0;  ///< TUTTI_NODE_MEMORY=64M: cap of shared memory a node; 0: the default rule
  std::int64_t node_long_ring = -1;  ///< TUTTI_NODE_LONG_RING=auto; 0: off
  std::int64_t node_deposits = -1;   ///< TUTTI_NODE_DEPOSITS=auto; 0: off
  int node_domains = -1;             ///< TUTTI_NODE_DOMAINS=auto; 0: off; more: so many ranks in a row share a domain
  bool node_spread = true;           ///< TUTTI_NODE_SPREAD=on: ranks that share CPUs unevenly move
  std::string pretend_nodes;         ///< TUTTI_PRETEND_NODES=block:2 (pretended.hpp); empty: the nodes that there are
  int window = 32;                   ///< TUTTI_WINDOW=32: steps the executor looks ahead
  int patience = 30;                 ///< TUTTI_PATIENCE=30: seconds of waiting for other ranks before the user is told
  std::string report;                ///< TUTTI_REPORT=FILE: where rank 0 writes the counters at MPI_Finalize
  std::string record;                ///< TUTTI_RECORD=FILE: where rank 0 writes all ranks' calls at MPI_Finalize
  int record_samples = 65536;        ///< TUTTI_RECORD_SAMPLES=65536: calls of each rank that are kept with their times
  int hang = 0;                      ///< TUTTI_HANG=60: seconds in one call after which the node's ranks are reported
  std::string hang_signal;           ///< TUTTI_HANG_SIGNAL=USR1: the rank that gets it has them reported
  std::string hang_command;          ///< TUTTI_HANG_COMMAND=PATH: the `tutti` that reports
  std::string profile_text;          ///< contents of the profile, read by the reading rank

  /// TUTTI_LEARN=all: what the node engine finds out while it runs.
  Learners learners = Learners::all();

  bool operator==(const Settings&) const = default;
};

/// The documentation of one variable.
struct SettingInfo {
  std::string_view variable;  ///< "TUTTI_WINDOW"
  std::string_view standard;  ///< default as a user would write it
  std::string_view help;      ///< one or two sentences
  std::string_view example;
};
/// Every variable, the one documentation; `read_settings` reads by the same table.
std::span<const SettingInfo> settings_manual();
/// The value of one variable of the manual, as a user would write it.  Throws std::out_of_range on another name.
std::string setting_value(const Settings& settings, std::string_view variable);

/// Reads TUTTI and TUTTI_* through `lookup` (getenv in a process, a dictionary in tests).  Never throws: an unusable
/// value is left at what it would have been without it, with one warning that names the variable, the word and the
/// nearest valid one.  An empty value counts as absent.  `variables`: all names present, so that a misspelt variable is
/// reported as well.  Reads the file of TUTTI_PROFILE.
Settings read_settings(const std::function<const char*(const char*)>& lookup, const std::vector<std::string>& variables,
                       std::vector<Warning>& warnings);

/// One text for all ranks: settings, with the profile's contents.  parse_settings(to_text(s)) == s.
/// Throws std::invalid_argument where the text is not of to_text's making (another version's).
std::string to_text(const Settings& settings);
Settings parse_settings(std::string_view text);

}  // namespace tutti

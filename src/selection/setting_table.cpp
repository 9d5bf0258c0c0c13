#include "selection/setting_table.hpp"

#include <algorithm>
#include <deque>

#include "selection/number.hpp"
#include "selection/pretended.hpp"
#include "selection/spec.hpp"

namespace tutti {
namespace {

std::string lower(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return text;
}

/// "expected on or off; did you mean 'off'?"
[[noreturn]] void refuse(const std::string& expected, std::string_view word,
                         const std::vector<std::string_view>& valid) {
  throw UnusableValue("expected " + expected + did_you_mean(word, valid));
}

/// A switch: 1 and 0 in all their spellings.
template <bool Settings::*member>
void read_switch(const SettingRow&, const std::string& value, Settings& settings) {
  const std::string word = lower(value);
  for (const auto& [yes, no] : {std::pair{"1", "0"}, {"on", "off"}, {"yes", "no"}, {"true", "false"}}) {
    if (word == yes || word == no) {
      settings.*member = word == yes;
      return;
    }
  }
  refuse("on or off (or 1 or 0)", word, {"on", "off", "yes", "no", "true", "false"});
}

template <bool Settings::*member>
std::string write_switch(const SettingRow& row, const Settings& settings) {
  const bool digits = row.info.standard == "0" || row.info.standard == "1";
  return settings.*member ? (digits ? "1" : "on") : (digits ? "0" : "off");
}

template <std::string Settings::*member>
void read_text(const SettingRow&, const std::string& value, Settings& settings) {
  settings.*member = value;
}

template <std::string Settings::*member>
std::string write_text(const SettingRow&, const Settings& settings) {
  return settings.*member;
}

template <int Settings::*member>
void read_count(const SettingRow& row, const std::string& value, Settings& settings) {
  const auto number = parse_number(value);
  if (!number || *number < row.least || *number > row.most)
    throw UnusableValue("expected a number from " + std::to_string(row.least) + " to " + std::to_string(row.most));
  settings.*member = static_cast<int>(*number);
}

template <int Settings::*member>
std::string write_count(const SettingRow&, const Settings& settings) {
  return std::to_string(settings.*member);
}

void read_memory(const SettingRow&, const std::string& value, Settings& settings) {
  const auto number = parse_number(value);
  if (!number) throw UnusableValue("expected a size such as 64M (0 for the default rule)");
  settings.node_memory = *number;
}

std::string write_memory(const SettingRow&, const Settings& settings) { return size_text(settings.node_memory); }

void read_domains(const SettingRow&, const std::string& value, Settings& settings) {
  const std::string word = lower(value);
  const auto number = parse_number(value);
  if (word != "auto" && word != "off" && (!number || *number < 1 || *number > 1 << 20))
    refuse("auto, off or a number of ranks", word, {"auto", "off"});
  settings.node_domains = word == "auto" ? -1 : word == "off" ? 0 : static_cast<int>(*number);
}

std::string write_domains(const SettingRow&, const Settings& settings) {
  if (settings.node_domains < 0) return "auto";
  return settings.node_domains == 0 ? "off" : std::to_string(settings.node_domains);
}

void read_learners(const SettingRow&, const std::string& value, Settings& settings) try {
  settings.learners = parse_learners(lower(value));
} catch (const std::invalid_argument& unknown) {
  std::vector<std::string_view> valid{"all", "none"};
  valid.insert(valid.end(), learner_names.begin(), learner_names.end());
  refuse("all, none or names by commas, which `tutti settings` lists", unknown.what(), valid);
}

std::string write_learners(const SettingRow&, const Settings& settings) { return to_text(settings.learners); }

void read_pretended(const SettingRow&, const std::string& value, Settings& settings) {
  const std::string word = lower(value);
  if (!PretendedNodes::parse(word))
    refuse("block:4, cyclic:3, sizes:1,3,2 or random:NODES:SEED", word, {"block:4", "cyclic:3"});
  settings.pretend_nodes = word;
}

void read_tune(const SettingRow&, const std::string& value, Settings& settings) {
  const std::string word = lower(value);
  if (word != "off" && word != "online") refuse("off or online", word, {"off", "online"});
  settings.online = word == "online";
}

std::string write_tune(const SettingRow&, const Settings& settings) { return settings.online ? "online" : "off"; }

void read_layer(const SettingRow&, const std::string& value, Settings& settings) {
  const std::string word = lower(value);
  if (word != "mpi" && word != "pmpi") refuse("mpi or pmpi", word, {"mpi", "pmpi"});
  settings.layer_pmpi = word == "pmpi";
}

std::string write_layer(const SettingRow&, const Settings& settings) { return settings.layer_pmpi ? "pmpi" : "mpi"; }

using Specs = std::map<Collective, std::string>;
template <Specs Settings::*member>
void read_spec(const SettingRow& row, const std::string& value, Settings& settings) try {
  (settings.*member)[row.collective] = to_text(parse_spec(value, row.collective));
} catch (const SpecError& error) {
  throw UnusableValue(error.sentence);
}

template <Specs Settings::*member>
std::string write_spec(const SettingRow& row, const Settings& settings) {
  const auto found = (settings.*member).find(row.collective);
  return found == (settings.*member).end() ? "" : found->second;
}

void read_gpu(const SettingRow&, const std::string& value, Settings& settings) {
  const std::string word = lower(value);
  if (word != "native" && word != "host") refuse("native or host", word, {"native", "host"});
  settings.gpu_host = word == "host";
}

std::string write_gpu(const SettingRow&, const Settings& settings) { return settings.gpu_host ? "host" : "native"; }

SettingRow spec_row(Collective collective, bool requests) {
  static std::deque<std::string> kept;  // the views in the table point here
  const auto keep = [](const std::string& text) -> std::string_view { return kept.emplace_back(text); };
  std::string mpi(name(collective)), upper = requests ? "I" + mpi : mpi;
  for (char& letter : upper) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  mpi[0] = upper[requests ? 1 : 0];
  SettingRow row{
      .info = {.variable = keep("TUTTI_" + upper),
               .standard = "",
               .help = keep("Spec that every MPI_" + mpi + " is served by where it can be; before the profile."),
               .example = keep("TUTTI_" + upper + "=native")},
      .read = read_spec<&Settings::specs>,
      .write = write_spec<&Settings::specs>,
      .collective = collective};
  if (!requests) return row;
  row.info.help = keep("The same for MPI_I" + std::string(name(collective)) + " and MPI_" + mpi +
                       "_init; else that of MPI_" + mpi + " holds.");
  row.read = read_spec<&Settings::request_specs>, row.write = write_spec<&Settings::request_specs>;
  return row;
}

using S = Settings;

template <bool Settings::*member>
SettingRow a_switch(const SettingInfo& info) {
  return {info, read_switch<member>, write_switch<member>};
}

template <std::string Settings::*member>
SettingRow a_text(const SettingInfo& info) {
  return {info, read_text<member>, write_text<member>};
}

template <int Settings::*member>
SettingRow a_count(const SettingInfo& info, int least, int most) {
  return {.info = info, .read = read_count<member>, .write = write_count<member>, .least = least, .most = most};
}

void add_what_is_served(std::vector<SettingRow>& rows) {
  rows.push_back(a_switch<&S::on>({"TUTTI", "on", "off leaves every call to the MPI library.", "TUTTI=off"}));
  rows.push_back(a_text<&S::profile>(
      {"TUTTI_PROFILE", "", "File of rules (TOML), read by rank 0 and asked before the rules that ship with tutti.",
       "TUTTI_PROFILE=cluster.toml"}));
  rows.push_back(a_switch<&S::reproducible>(
      {"TUTTI_REPRODUCIBLE", "0",
       "1 makes the bits of reductions that tutti serves independent of where the ranks are: schedules over messages "
       "alone, the same on every placement; the node engine and rules on nodes or ppn do not serve reductions.",
       "TUTTI_REPRODUCIBLE=1"}));
  rows.push_back(
      {{"TUTTI_TUNE", "off",
        "online tries candidates in the first calls of each collective and size, and settles on the fastest; "
        "results of reductions may then differ from run to run in their last bits.",
        "TUTTI_TUNE=online"},
       read_tune,
       write_tune});
  rows.push_back(a_text<&S::learned>({"TUTTI_TUNE_OUTPUT", "",
                                      "File for what TUTTI_TUNE=online learned, as a profile, written by rank 0 at "
                                      "MPI_Finalize.",
                                      "TUTTI_TUNE_OUTPUT=learned.toml"}));
  rows.push_back(
      {{"TUTTI_GPU", "native",
        "Where a GPU runtime is in the process of any rank, and the MPI library takes device buffers: native leaves "
        "the "
        "communicator to the library, host serves it, and is right where the buffers of collectives are host memory.",
        "TUTTI_GPU=host"},
       read_gpu,
       write_gpu});
  rows.push_back({{"TUTTI_LAYER", "mpi",
                   "Of earlier versions, without effect: MPI_X and PMPI_X are both served, beneath any tool that "
                   "intercepts MPI_X.",
                   "TUTTI_LAYER=mpi"},
                  read_layer,
                  write_layer});
}

void add_what_is_told(std::vector<SettingRow>& rows) {
  rows.push_back(a_switch<&S::explain>(
      {"TUTTI_EXPLAIN", "0", "1 prints the first choice of each kind with its reason, on rank 0, and a summary.",
       "TUTTI_EXPLAIN=1"}));
  rows.push_back(a_text<&S::log>({"TUTTI_LOG", "",
                                  "File for messages instead of standard error; %h becomes the host, %p the process.",
                                  "TUTTI_LOG=tutti.%h.%p"}));
  rows.push_back(a_text<&S::report>(
      {"TUTTI_REPORT", "", "File for what was served, written by rank 0 at MPI_Finalize; `tutti run` sets it.",
       "TUTTI_REPORT=served.json"}));
  rows.push_back(
      a_text<&S::record>({"TUTTI_RECORD", "",
                          "File for the calls of all ranks, by call site, written at MPI_Finalize; `tutti record` sets "
                          "it.  With TUTTI=off they are recorded, and not served.",
                          "TUTTI_RECORD=app.rec"}));
  rows.push_back(a_count<&S::record_samples>(
      {"TUTTI_RECORD_SAMPLES", "65536", "Calls of each rank that a recording keeps with their times.",
       "TUTTI_RECORD_SAMPLES=1M"},
      16, 1 << 28));
  rows.push_back(a_count<&S::patience>(
      {"TUTTI_PATIENCE", "30", "Seconds a rank waits for others to get ready before it says so and names the cause.",
       "TUTTI_PATIENCE=5"},
      1, 1 << 20));
}

void add_resources(std::vector<SettingRow>& rows) {
  rows.push_back({{"TUTTI_NODE_MEMORY", "0", "Most shared memory on one node, in bytes; 0 takes the default rule.",
                   "TUTTI_NODE_MEMORY=64M"},
                  read_memory,
                  write_memory});
  rows.push_back({{"TUTTI_NODE_DOMAINS", "auto",
                   "auto follows the caches, NUMA nodes or packages of a node of 16 ranks and more, a CPU each; off "
                   "never does; a number takes so many ranks in a row for such a domain, on any node, for tests.",
                   "TUTTI_NODE_DOMAINS=off"},
                  read_domains,
                  write_domains});
  rows.push_back(a_switch<&S::node_spread>(
      {"TUTTI_NODE_SPREAD", "on",
       "With more ranks than CPUs, a rank on a CPU that has more of them than others have moves to one with fewer, if "
       "it may run there; off leaves that to the kernel.",
       "TUTTI_NODE_SPREAD=off"}));
  rows.push_back({{"TUTTI_LEARN", "all",
                   "What the node engine measures while it runs: all, none, or names by commas. stores: non-temporal "
                   "stores into shared memory; brief: short payloads demoted to the shared cache; landings: "
                   "non-temporal stores of results; copies: one copy or two; joint: both sides of a long block copy; "
                   "spread: ranks move, as TUTTI_NODE_SPREAD says. Results are the same.",
                   "TUTTI_LEARN=stores,copies"},
                  read_learners,
                  write_learners});
  rows.push_back({{"TUTTI_PRETEND_NODES", "",
                   "Takes the ranks of one machine for those of several nodes, to try what serves those: block:4, "
                   "cyclic:3, sizes:1,3,2 or random:NODES:SEED, by rank in MPI_COMM_WORLD.",
                   "TUTTI_PRETEND_NODES=block:4"},
                  read_pretended,
                  write_text<&S::pretend_nodes>});
  rows.push_back(a_count<&S::window>(
      {"TUTTI_WINDOW", "32", "Steps of a schedule that are under way at once.", "TUTTI_WINDOW=8"}, 1, 4096));
}

std::vector<SettingRow> make_table() {
  std::vector<SettingRow> rows;
  add_what_is_served(rows);
  add_what_is_told(rows);
  add_resources(rows);
  for (const bool requests : {false, true})
    for (std::size_t i = 0; i < collective_names.size(); ++i)
      rows.push_back(spec_row(static_cast<Collective>(i), requests));
  return rows;
}

}  // namespace

std::span<const SettingRow> setting_table() {
  static const std::vector<SettingRow> table = make_table();
  return table;
}

const SettingRow* find_setting(std::string_view variable) {
  const auto table = setting_table();
  const auto found = std::ranges::find(table, variable, [](const SettingRow& row) { return row.info.variable; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace tutti

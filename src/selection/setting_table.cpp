#include "selection/setting_table.hpp"

#include <deque>

#include "selection/setting_values.hpp"

namespace tutti {
namespace {

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
       read_either<&S::online, tune_words>,
       write_either<&S::online, tune_words>});
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
       read_either<&S::gpu_host, gpu_words>,
       write_either<&S::gpu_host, gpu_words>});
  rows.push_back({{"TUTTI_LAYER", "mpi",
                   "Of earlier versions, without effect: MPI_X and PMPI_X are both served, beneath any tool that "
                   "intercepts MPI_X.",
                   "TUTTI_LAYER=mpi"},
                  read_either<&S::layer_pmpi, layer_words>,
                  write_either<&S::layer_pmpi, layer_words>});
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

void add_hang(std::vector<SettingRow>& rows) {
  rows.push_back(a_count<&S::hang>(
      {"TUTTI_HANG", "0",
       "Seconds in one collective call after which a rank has `tutti hang` report who is missing, once, on standard "
       "error; 0 never does.",
       "TUTTI_HANG=60"},
      0, 1 << 20));
  rows.push_back({{"TUTTI_HANG_SIGNAL", "",
                   "Signal upon which a rank has `tutti hang` report where the ranks are, on standard error.",
                   "TUTTI_HANG_SIGNAL=USR1"},
                  read_signal,
                  write_text<&S::hang_signal>});
  rows.push_back(a_text<&S::hang_command>(
      {"TUTTI_HANG_COMMAND", "",
       "Path of the tutti command for these reports, where it is not on PATH; `tutti run` sets it.",
       "TUTTI_HANG_COMMAND=/opt/tutti/bin/tutti"}));
}

void add_resources(std::vector<SettingRow>& rows) {
  rows.push_back({{"TUTTI_NODE_MEMORY", "0", "Most shared memory on one node, in bytes; 0 takes the default rule.",
                   "TUTTI_NODE_MEMORY=64M"},
                  read_size<&S::node_memory>,
                  write_size<&S::node_memory>});
  rows.push_back(
      {{"TUTTI_NODE_LONG_RING", "auto",
        "Bytes of each rank's ring for payloads of 8 KiB and more; auto takes twice a core's own cache where "
        "the shared caches have room for all rings; off leaves payloads in slots of 32 KiB.",
        "TUTTI_NODE_LONG_RING=off"},
       read_auto_size<&S::node_long_ring>,
       write_auto_size<&S::node_long_ring>});
  rows.push_back(
      {{"TUTTI_NODE_DEPOSITS", "auto",
        "Shared memory of each rank for long payloads whose readers are late, so that it need not wait for them (root "
        "of a bcast or scatter, others of a reduce or gather).  auto is 8 MiB, less for further communicators, and "
        "takes "
        "pages only while ranks are late; off lets these ranks wait.",
        "TUTTI_NODE_DEPOSITS=off"},
       read_auto_size<&S::node_deposits>,
       write_auto_size<&S::node_deposits>});
}

void add_placement(std::vector<SettingRow>& rows) {
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
  add_hang(rows);
  add_resources(rows);
  add_placement(rows);
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

#include "selection/settings.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

using namespace tutti;

namespace {

using Environment = std::map<std::string, std::string>;

struct Reading {
  Settings settings;
  std::vector<std::string> warnings;
};

Reading read(const Environment& environment) {
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment) variables.push_back(name);
  std::vector<Warning> warnings;
  Reading reading;
  reading.settings = read_settings(
      [&](const char* name) {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second.c_str();
      },
      variables, warnings);
  for (const Warning& warning : warnings) reading.warnings.push_back(warning.text);
  return reading;
}

/// One bad variable: its one warning; everything is as if the variable were absent.
std::string warning_of(const std::string& variable, const std::string& value) {
  const Reading reading = read({{variable, value}});
  CHECK(reading.settings == Settings{});
  REQUIRE(reading.warnings.size() == 1);
  return reading.warnings[0];
}

Settings good(const std::string& variable, const std::string& value) {
  const Reading reading = read({{variable, value}});
  CHECK_MESSAGE(reading.warnings.empty(), variable << "=" << value << ": " << reading.warnings[0]);
  return reading.settings;
}

/// A file that is gone at the end of the test.
struct TemporaryFile {
  std::string path = (std::filesystem::temp_directory_path() / ("tutti-settings-" + std::to_string(getpid()))).string();
  explicit TemporaryFile(const std::string& text) { std::ofstream(path) << text; }
  ~TemporaryFile() { std::filesystem::remove(path); }
};

}  // namespace

TEST_CASE("an empty environment gives the standard settings") {
  const Reading reading = read({});
  CHECK(reading.settings == Settings{});
  CHECK(reading.warnings.empty());
}

TEST_CASE("each variable sets its member") {
  CHECK(!good("TUTTI", "off").on);
  CHECK(good("TUTTI", "ON").on);
  CHECK(good("TUTTI_EXPLAIN", "1").explain);
  CHECK(good("TUTTI_EXPLAIN", "yes").explain);
  CHECK(!good("TUTTI_EXPLAIN", "false").explain);
  CHECK(good("TUTTI_REPRODUCIBLE", "true").reproducible);
  CHECK(good("TUTTI_LOG", "tutti.%h.%p").log == "tutti.%h.%p");
  CHECK(good("TUTTI_GPU", "Host").gpu_host);
  CHECK(!good("TUTTI_GPU", "native").gpu_host);
  CHECK(good("TUTTI_LAYER", "PMPI").layer_pmpi);
  CHECK(!good("TUTTI_LAYER", "mpi").layer_pmpi);
  CHECK(good("TUTTI_NODE_MEMORY", "64M").node_memory == 64 << 20);
  CHECK(good("TUTTI_NODE_DOMAINS", "Auto").node_domains == -1);
  CHECK(good("TUTTI_NODE_DOMAINS", "off").node_domains == 0);
  CHECK(good("TUTTI_NODE_DOMAINS", "4").node_domains == 4);
  CHECK(good("TUTTI_NODE_LONG_RING", "AUTO").node_long_ring == -1);
  CHECK(good("TUTTI_NODE_LONG_RING", "off").node_long_ring == 0);
  CHECK(good("TUTTI_NODE_LONG_RING", "4M").node_long_ring == 4 << 20);
  CHECK(good("TUTTI_NODE_DEPOSITS", "Auto").node_deposits == -1);
  CHECK(good("TUTTI_NODE_DEPOSITS", "off").node_deposits == 0);
  CHECK(good("TUTTI_NODE_DEPOSITS", "8M").node_deposits == 8 << 20);
  CHECK(good("TUTTI_NODE_SPREAD", "").node_spread);
  CHECK(!good("TUTTI_NODE_SPREAD", "Off").node_spread);
  CHECK(good("TUTTI_LEARN", "none").learners == Learners::none());
  CHECK(good("TUTTI_LEARN", "Joint,spread").learners == Learners::none().with(Learner::joint).with(Learner::spread));
  CHECK(good("TUTTI_LEARN", "ALL") == Settings{});
  CHECK(good("TUTTI_PRETEND_NODES", "Sizes:1,3").pretend_nodes == "sizes:1,3");
  CHECK(good("TUTTI_WINDOW", "8").window == 8);
  CHECK(good("TUTTI_PATIENCE", "5").patience == 5);
  CHECK(good("TUTTI_REPORT", "served.json").report == "served.json");
  CHECK(good("TUTTI_ALLREDUCE", " RING ").specs.at(Collective::allreduce) == "ring");
  CHECK(good("TUTTI_REDUCE_SCATTER_BLOCK", "pairwise").specs.at(Collective::reduce_scatter_block) == "pairwise");
}

TEST_CASE("an empty value counts as absent") {
  CHECK(good("TUTTI_ALLREDUCE", "") == Settings{});
  CHECK(good("TUTTI_PROFILE", "") == Settings{});
}

TEST_CASE("a value that cannot be used costs one warning") {
  CHECK(warning_of("TUTTI_ALLREDUCE", "rign") ==
        "TUTTI_ALLREDUCE=rign is ignored: unknown algorithm 'rign' for allreduce; did you mean 'ring'?");
  CHECK(warning_of("TUTTI", "offf") == "TUTTI=offf is ignored: expected on or off (or 1 or 0); did you mean 'off'?");
  CHECK(warning_of("TUTTI_EXPLAIN", "2") == "TUTTI_EXPLAIN=2 is ignored: expected on or off (or 1 or 0)");
  CHECK(warning_of("TUTTI_REPRODUCIBLE", "maybe") ==
        "TUTTI_REPRODUCIBLE=maybe is ignored: expected on or off (or 1 or 0)");
  CHECK(warning_of("TUTTI_GPU", "hots") == "TUTTI_GPU=hots is ignored: expected native or host; did you mean 'host'?");
  CHECK(warning_of("TUTTI_LAYER", "ppmi") == "TUTTI_LAYER=ppmi is ignored: expected mpi or pmpi; did you mean 'pmpi'?");
  CHECK(warning_of("TUTTI_NODE_MEMORY", "64Q") ==
        "TUTTI_NODE_MEMORY=64Q is ignored: expected a size such as 64M (0 for the default rule)");
  CHECK(warning_of("TUTTI_NODE_DOMAINS", "of") ==
        "TUTTI_NODE_DOMAINS=of is ignored: expected auto, off or a number of ranks; did you mean 'off'?");
  CHECK(warning_of("TUTTI_NODE_DOMAINS", "0").find("expected auto") != std::string::npos);
  CHECK(warning_of("TUTTI_LEARN", "store,copies") ==
        "TUTTI_LEARN=store,copies is ignored: expected all, none or names by commas, which `tutti settings` lists; "
        "did you mean 'stores'?");
  CHECK(warning_of("TUTTI_NODE_MEMORY", "-1").find("expected a size") != std::string::npos);
  for (const char* window : {"-3", "0", "many", "1G"})
    CHECK(warning_of("TUTTI_WINDOW", window) ==
          "TUTTI_WINDOW=" + std::string(window) + " is ignored: expected a number from 1 to 4096");
  CHECK(warning_of("TUTTI_PATIENCE", "soon").find("expected a number from 1") != std::string::npos);
}

TEST_CASE("a misspelt variable is noticed") {
  CHECK(warning_of("TUTTI_ALREDUCE", "ring") ==
        "unknown variable TUTTI_ALREDUCE is ignored; did you mean 'TUTTI_ALLREDUCE'?");
  CHECK(warning_of("TUTTI_PROFIEL", "x") == "unknown variable TUTTI_PROFIEL is ignored; did you mean 'TUTTI_PROFILE'?");
  CHECK(warning_of("TUTTI_QUUX", "1") == "unknown variable TUTTI_QUUX is ignored; `tutti settings` lists all");
  CHECK(read({{"TUTTIFRUTTI", "1"}, {"HOME", "/"}}).warnings.empty());
}

TEST_CASE("several bad variables: a warning each, the good ones hold") {
  const Reading reading = read({{"TUTTI_ALLREDUCE", "rign"}, {"TUTTI_WINDOW", "x"}, {"TUTTI_BCAST", "binomial"}});
  CHECK(reading.warnings.size() == 2);
  CHECK(reading.settings.specs == std::map<Collective, std::string>{{Collective::bcast, "binomial"}});
}

TEST_CASE("the profile is read with the settings") {
  const TemporaryFile file("schema = 1\n");
  const Settings settings = good("TUTTI_PROFILE", file.path);
  CHECK(settings.profile == file.path);
  CHECK(settings.profile_text == "schema = 1\n");
}

TEST_CASE("a profile that cannot be read: one warning with file and cause") {
  CHECK(warning_of("TUTTI_PROFILE", "/no/such/file.toml") ==
        "TUTTI_PROFILE=/no/such/file.toml is ignored: cannot read it: No such file or directory");
  CHECK(warning_of("TUTTI_PROFILE", "/").find("it is not a file") != std::string::npos);
}

TEST_CASE("one text for all ranks") {
  const TemporaryFile file("schema = 1\n# a profile\n\n");
  const Reading reading = read({{"TUTTI", "off"},
                                {"TUTTI_PROFILE", file.path},
                                {"TUTTI_EXPLAIN", "1"},
                                {"TUTTI_LOG", "a b\nc"},
                                {"TUTTI_GPU", "host"},
                                {"TUTTI_LAYER", "pmpi"},
                                {"TUTTI_REPRODUCIBLE", "1"},
                                {"TUTTI_NODE_MEMORY", "96K"},
                                {"TUTTI_NODE_DOMAINS", "8"},
                                {"TUTTI_NODE_LONG_RING", "64K"},
                                {"TUTTI_NODE_DEPOSITS", "1M"},
                                {"TUTTI_NODE_SPREAD", "0"},
                                {"TUTTI_LEARN", "stores,landings"},
                                {"TUTTI_WINDOW", "7"},
                                {"TUTTI_PATIENCE", "9"},
                                {"TUTTI_REPORT", "r"},
                                {"TUTTI_BCAST", "pipelined_chain(segment=8192)"},
                                {"TUTTI_ALLREDUCE", "node(ring, senders=4)"}});
  CHECK(reading.warnings.empty());
  CHECK(parse_settings(to_text(reading.settings)) == reading.settings);
  CHECK(to_text(Settings{}).empty());
  CHECK(parse_settings("") == Settings{});
}

TEST_CASE("a text that is not of our making throws") {
  for (const char* bad : {"x", "TUTTI_WINDOW 1", "TUTTI_WINDOW 1\n7", "TUTTI_WINDOW 99\n7\n", "TUTTI_WINDOW x\n7\n",
                          "TUTTI_WINDOW 1\nx\n", "TUTTI_NEW 1\n1\n", "TUTTI_ALLREDUCE 4\nrign\n"})
    CHECK_THROWS_AS_MESSAGE(parse_settings(bad), std::invalid_argument, bad);
}

TEST_CASE("the manual documents every variable, and its examples are good") {
  CHECK(settings_manual().size() == 24 + 2 * collective_names.size());
  for (const SettingInfo& info : settings_manual()) {
    CHECK(!info.help.empty());
    CHECK(info.help.ends_with('.'));
    CHECK(setting_value(Settings{}, info.variable) == info.standard);
    const std::string example(info.example);
    CHECK(example.starts_with(std::string(info.variable) + "="));
    if (info.variable != "TUTTI_PROFILE") good(std::string(info.variable), example.substr(info.variable.size() + 1));
  }
  CHECK_THROWS_AS(setting_value(Settings{}, "TUTTI_QUUX"), std::out_of_range);
}

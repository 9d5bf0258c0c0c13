#include "selection/profile.hpp"

#include <doctest/doctest.h>

#include "selection/choice.hpp"

using namespace tutti;

namespace {

struct Reading {
  std::vector<Rule> rules;
  std::vector<std::string> warnings;
};

Reading read(std::string_view text) {
  std::vector<Warning> warnings;
  Reading reading{parse_profile(text, "dir/cluster.toml", warnings), {}};
  for (const Warning& warning : warnings) reading.warnings.push_back(warning.text);
  return reading;
}

/// A profile of one unsound rule, whose body begins on line 3, between two sound ones.
std::string warning_of(const std::string& body) {
  const std::string sound = "[[rule]]\ncollective = 'barrier'\nuse = 'node'\n";
  const Reading reading = read("schema = 1\n[[rule]]\n" + body + "\n" + sound + sound);
  CHECK(reading.rules.size() == 2);
  REQUIRE_MESSAGE(reading.warnings.size() == 1, body);
  CHECK(reading.warnings[0].ends_with("(the rule is left out)"));
  return reading.warnings[0].substr(0, reading.warnings[0].rfind(" ("));
}

}  // namespace

TEST_CASE("a rule says all it can") {
  const Reading reading = read(R"toml(schema = 1
about = { machine = "m" }

[[rule]]
collective = "bcast"
use = "pipelined_chain(segment=16K)"
nodes = "2:"
ranks = ":64"
ppn = 4
cpus = "own"
size = "64K:1M"
calls = "all"
because = "long"
measured = { native = 2.0, tutti = 1.0 }
)toml");
  CHECK(reading.warnings.empty());
  REQUIRE(reading.rules.size() == 1);
  const Rule& rule = reading.rules[0];
  CHECK(rule.collective == Collective::bcast);
  CHECK(to_text(rule.spec) == "pipelined_chain(segment=16K)");
  CHECK(rule.nodes == Range{2, INT64_MAX});
  CHECK(rule.ranks == Range{0, 64});
  CHECK(rule.ppn == Range{4, 4});
  CHECK(rule.size == Range{64 << 10, 1 << 20});
  CHECK(rule.places);
  CHECK(rule.shares_cpus == false);
  CHECK(rule.all_calls);
  CHECK(rule.because == "long");
  CHECK(rule.line == 4);
}

TEST_CASE("ranges are optional") {
  const Rule rule = read("schema = 1\n[[rule]]\ncollective = 'bcast'\nuse = 'binomial'\n").rules.at(0);
  CHECK(rule.nodes == Range{});
  CHECK(!rule.size);
  CHECK(!rule.places);
}

TEST_CASE("each unsound rule costs one warning with file, line, column and cause; the sound ones serve") {
  const std::string bcast = "collective = 'bcast'\nuse = 'binomial'\n";
  CHECK(warning_of("collective = 'allreduce'\nuse = 'rign'") ==
        "dir/cluster.toml line 4, column 8: unknown algorithm 'rign' for allreduce; did you mean 'ring'?");
  CHECK(
      warning_of("collective = 'allreduce'\nuse = 'node(rign)'") ==
      "dir/cluster.toml line 4, column 13: unknown algorithm 'rign' for allreduce between nodes; did you mean 'ring'?");
  CHECK(warning_of("collective = 'alreduce'\nuse = 'ring'") ==
        "dir/cluster.toml line 3, column 14: unknown collective 'alreduce'; did you mean 'allreduce'?");
  CHECK(warning_of("use = 'ring'") == "dir/cluster.toml line 2, column 1: the rule has no 'collective';");
  CHECK(warning_of("collective = 'bcast'") == "dir/cluster.toml line 2, column 1: the rule has no 'use';");
  CHECK(warning_of("collective = 3\nuse = 'ring'") ==
        "dir/cluster.toml line 3, column 14: 'collective' is a text in quotes;");
  CHECK(warning_of(bcast + "sise = '1:2'") ==
        "dir/cluster.toml line 5, column 1: unknown key 'sise'; did you mean 'size'?");
  CHECK(warning_of(bcast + "size = '2:1'") ==
        "dir/cluster.toml line 5, column 8: 'size' is a range such as \"2:32\", \"64K:\" or \"4\";");
  CHECK(warning_of(bcast + "ranks = -4") ==
        "dir/cluster.toml line 5, column 9: 'ranks' is a range such as \"2:32\", \"64K:\" or \"4\";");
  CHECK(warning_of(bcast + "ppn = 1.5").find("'ppn' is a range") != std::string::npos);
  CHECK(warning_of(bcast + "cpus = 'none'") == "dir/cluster.toml line 5, column 8: 'cpus' is \"own\" or \"shared\";");
  CHECK(warning_of(bcast + "because = 1") == "dir/cluster.toml line 5, column 11: 'because' is a text in quotes;");
  CHECK(warning_of(bcast + "measured = 1") == "dir/cluster.toml line 5, column 12: 'measured' is a table;");
  CHECK(warning_of("collective = 'alltoallv'\nuse = 'pairwise'\nsize = '1:2'") ==
        "dir/cluster.toml line 5, column 8: the size of alltoallv is not known on all ranks;");
}

TEST_CASE("two ranks know the size of what they send each other") {
  const Reading reading =
      read("schema = 1\n[[rule]]\ncollective = 'alltoallw'\nuse = 'native'\nranks = '2'\nsize = '1K:'\n");
  CHECK(reading.warnings.empty());
  REQUIRE(reading.rules.size() == 1);
  CHECK(reading.rules[0].size == Range{1024, INT64_MAX});
}

TEST_CASE("a file that is no profile is left out whole") {
  const auto only = [](std::string_view text) {
    const Reading reading = read(text);
    CHECK(reading.rules.empty());
    REQUIRE(reading.warnings.size() == 1);
    CHECK(reading.warnings[0].ends_with("(the file is left out)"));
    return reading.warnings[0];
  };
  CHECK(only("schema = 1\n[[rule]\n").starts_with("dir/cluster.toml line 2, column "));
  CHECK(only("").starts_with("dir/cluster.toml line 1, column 1: the file does not say schema = 1"));
  CHECK(only("\nschema = 2\n").starts_with("dir/cluster.toml line 2, column 10: this version of tutti reads schema 1"));
  CHECK(only("schema = 'one'").find("does not say schema = 1") != std::string::npos);
  CHECK(only(std::string_view("\xff\xfe\0\0", 4)).starts_with("dir/cluster.toml line 1"));
}

TEST_CASE("what no key can begin with is a mistake with a place, and nothing that the parser counts on") {
  for (const std::string_view text :
       {std::string_view("schema = 1\n[\0", 13), std::string_view("schema = 1\n[\0]\n", 15)}) {
    const Reading reading = read(text);
    CHECK(reading.rules.empty());
    REQUIRE(reading.warnings.size() == 1);
    CHECK(reading.warnings[0].find("line 2") != std::string::npos);
  }
}

TEST_CASE("letters beyond ASCII are taken in texts, and are a mistake elsewhere") {
  const Reading reading = read("schema = 1\n\xc3\xa9 = 1\n");
  REQUIRE(reading.warnings.size() == 1);
  CHECK(reading.warnings[0].starts_with("dir/cluster.toml line 2, column 1"));
  // White space is looked for after a backslash at the end of a line.
  CHECK(read("schema = 1\n[about]\nwhere = \"\"\"\\\n\xc2\xa7 4\"\"\"\n").warnings.empty());
}

TEST_CASE("odd shapes cost a warning each") {
  CHECK(read("schema = 1\nrules = 1\n").warnings ==
        std::vector<std::string>{
            "dir/cluster.toml line 2, column 1: unknown key 'rules'; did you mean 'rule'? (it is ignored)"});
  CHECK(read("schema = 1\n[rule]\ncollective = 'bcast'\n").warnings ==
        std::vector<std::string>{"dir/cluster.toml line 2, column 1: a rule begins with [[rule]]; (it is left out)"});
  CHECK(read("schema = 1\nrule = [1, 2]\n").warnings.size() == 2);
}

TEST_CASE("the shipped profile is sound, and every rule says why") {
  std::vector<Warning> warnings;
  const auto rules = parse_profile(default_profile(), "default.toml", warnings);
  CHECK(warnings.empty());
  CHECK(!rules.empty());
  for (const Rule& rule : rules) CHECK(!rule.because.empty());
}

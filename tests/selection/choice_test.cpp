#include "selection/choice.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <set>

#include "algorithms/catalogue.hpp"
#include "choosing.hpp"

using namespace tutti;
using namespace tutti::testing;
using enum Collective;

namespace {

const std::set<Collective> sized{bcast,     reduce,     allreduce, gather,         scatter,
                                 allgather, allgatherv, alltoall,  reduce_scatter, reduce_scatter_block,
                                 scan,      exscan};

}  // namespace

TEST_CASE("a rule for one MPI library") {
  const Settings settings = with_profile("[[rule]]\ncollective = \"bcast\"\nuse = \"native\"\nmpi = \"Intel MPI\"\n");
  const auto reason = [&](std::string_view library) {
    std::vector<Warning> warnings;
    return Selector(settings, one_node, warnings, library).choose(ask(bcast, 8)).reason.substr(0, 7);
  };
  CHECK(reason("Intel(R) MPI Library 2021.18 for Linux* OS") == "cluster");
  CHECK(reason("Intel MPI 2021.18.1") == "cluster");
  CHECK(reason("Open MPI v5.0.11, package: Open MPI") == "default");
  CHECK(reason("") == "default");
}

TEST_CASE("the shipped rules: inside a node what was measured, all else native") {
  for (std::size_t i = 0; i < collective_names.size(); ++i) {
    const auto collective = static_cast<Collective>(i);
    const Choice short_call = choose({}, one_node, ask(collective, sized.contains(collective) ? 8 : -1));
    CHECK(short_call.kind == Choice::Kind::node);
    CHECK(short_call.reason.starts_with("default.toml line "));
    CHECK(!short_call.because.empty());
    CHECK(brief(choose({}, two_nodes, ask(collective, 8))) == "native, nothing measured");
  }
  CHECK(choose({}, one_node, ask(barrier, -1)).kind == Choice::Kind::node);
  CHECK(brief(choose({}, one_node, ask(allreduce, -1))) == "native, nothing measured");
  CHECK(brief(choose({}, one_node, ask(allreduce, std::int64_t{1} << 40))) == "native, nothing measured");
}

TEST_CASE("one rank is always native") {
  CHECK(brief(choose(with(allreduce, "ring"), {}, ask(allreduce, 8))) == "native, one rank");
}

TEST_CASE("a setting comes first, on one node too") {
  const Choice choice = choose(with(allreduce, "ring"), one_node, ask(allreduce, 8));
  CHECK(brief(choice) == "ring, TUTTI_ALLREDUCE");
  CHECK(choice.kind == Choice::Kind::flat);
  CHECK(choice.algorithm == find_algorithm(allreduce, "ring"));
  CHECK(choice.excluded.empty());
  CHECK(brief(choose(with(allreduce, "native"), one_node, ask(allreduce, 8))) == "native, TUTTI_ALLREDUCE");
  CHECK(brief(choose(with(allreduce, "ring"), two_nodes, ask(allreduce, -1))) == "ring, TUTTI_ALLREDUCE");
  CHECK(choose(with(allreduce, "ring"), one_node, ask(reduce, 8)).kind == Choice::Kind::node);
}

TEST_CASE("a setting that cannot serve a call is named with the reason, and the next is asked") {
  const Choice ordered = choose(with(allreduce, "ring"), one_node, ask(allreduce, 8, false));
  CHECK(ordered.kind == Choice::Kind::node);
  CHECK(ordered.excluded == Texts{"ring: the operator is not commutative"});
  const Choice far = choose(with(allreduce, "node"), two_nodes, ask(allreduce, 8));
  CHECK(brief(far) == "native, nothing measured");
  CHECK(far.excluded == Texts{"node: the ranks are on 2 nodes"});
}

TEST_CASE("a spec's variant is a part of the choice, and brings its borders") {
  const Choice striped = choose(with(allreduce, "node(variant=striped)"), one_node, ask(allreduce, 8));
  CHECK(brief(striped) == "node(variant=striped), TUTTI_ALLREDUCE");
  CHECK(striped.variant == shm::Variant::striped);
  CHECK(striped.single_copy == Choice::never);
  const Choice once = choose(with(Collective::bcast, "node(variant=one_copy)"), one_node, ask(Collective::bcast, 8));
  CHECK(once.single_copy == 1);
  constexpr Placement pair{2, 1, 2, 2};
  const Choice clock = choose(with(allreduce, "node(variant=clock)"), pair, ask(allreduce, 8));
  CHECK(clock.by_clock == choose(with(allreduce, "node(copy=clock)"), pair, ask(allreduce, 8)).by_clock);
}

TEST_CASE("a spec may ask for a contest with the library's own") {
  const auto asked = [](const char* spec) {
    return choose(with(Collective::allgather, spec), one_node, ask(Collective::allgather, 65536)).contested;
  };
  CHECK(asked("node(native=clock)"));
  CHECK_FALSE(asked("node"));
  CHECK_FALSE(asked("native"));
}

TEST_CASE("a variant of two ranks cannot serve more") {
  const Choice choice = choose(with(allreduce, "node(variant=one_copy)"), one_node, ask(allreduce, 8));
  CHECK(choice.text == "node");
  CHECK(choice.excluded == Texts{"node(variant=one_copy): the variant is of 2 ranks"});
}

TEST_CASE("rules of a profile name variants, up to a length") {
  const Settings settings = with_profile(
      "[[rule]]\ncollective = \"allreduce\"\nuse = \"node(variant=slots)\"\nnodes = \"1\"\nsize = \"0:4K\"\n"
      "because = \"measured\"\n");
  CHECK(choose(settings, one_node, ask(allreduce, 4096)).variant == shm::Variant::slots);
  CHECK(choose(settings, one_node, ask(allreduce, 4097)).variant == shm::Variant::any);
}

TEST_CASE("the node engine serves every collective") {
  for (std::size_t i = 0; i < collective_names.size(); ++i) {
    const auto collective = static_cast<Collective>(i);
    CHECK(choose(with(collective, "node"), one_node, ask(collective, 1 << 30)).kind == Choice::Kind::node);
  }
}

TEST_CASE("rules of the profile: the first that matches, then the shipped ones") {
  const Settings settings = with_profile(R"(
[[rule]]
collective = "allreduce"
use = "recursive_doubling"
ranks = "2:8"
size = "0:1K"

[[rule]]
collective = "allreduce"
use = "ring"
nodes = "2:"
ppn = "4"
size = "1K:"
because = "long"

[[rule]]
collective = "bcast"
use = "native"

[[rule]]
collective = "scatter"
use = "linear"
cpus = "shared"

[[rule]]
collective = "scatter"
use = "binomial"
cpus = "own"
)");
  Placement sharing = one_node;
  sharing.shares_cpus = true;
  CHECK(brief(choose(settings, sharing, ask(scatter, 8))) == "linear, cluster.toml line 21");
  CHECK(brief(choose(settings, one_node, ask(scatter, 8))) == "binomial, cluster.toml line 26");
  CHECK(brief(choose(settings, one_node, ask(allreduce, 0))) == "recursive_doubling, cluster.toml line 3");
  CHECK(brief(choose(settings, one_node, ask(allreduce, 1024))) == "recursive_doubling, cluster.toml line 3");
  CHECK(choose(settings, one_node, ask(allreduce, 1025)).kind == Choice::Kind::node);
  CHECK(brief(choose(settings, two_nodes, ask(allreduce, 1025))) == "ring, cluster.toml line 9");
  CHECK(choose(settings, two_nodes, ask(allreduce, 1025)).because == "long");
  CHECK(brief(choose(settings, {16, 2, 8, 8}, ask(allreduce, 1025))) == "native, nothing measured");
  CHECK(brief(choose(settings, {7, 2, 4, 3}, ask(allreduce, 1025))) == "ring, cluster.toml line 9");  // ppn: the most
  CHECK(brief(choose(settings, two_nodes, ask(allreduce, -1))) == "native, nothing measured");
  CHECK(brief(choose(settings, one_node, ask(bcast, 8))) == "native, cluster.toml line 17");
  CHECK(brief(choose(settings, two_nodes, ask(bcast, -1))) == "native, cluster.toml line 17");
}

TEST_CASE("nonblocking and persistent calls: rules of the node engine, settings, and other rules that say so") {
  const Settings settings = with_profile(R"(
[[rule]]
collective = "allreduce"
use = "ring"
ranks = "2:"
size = "1K:"

[[rule]]
collective = "bcast"
use = "binomial"
calls = "all"

[[rule]]
collective = "gather"
use = "node"
)");
  const auto request = [](Collective collective, std::int64_t bytes) {
    CallSignature signature = ask(collective, bytes);
    signature.request = true;
    return signature;
  };
  CHECK(choose(settings, two_nodes, ask(allreduce, 4096)).text == "ring");
  const Choice left = choose(settings, two_nodes, request(allreduce, 4096));
  CHECK(left.kind == Choice::Kind::native);
  REQUIRE(left.excluded.size() == 1);
  CHECK(left.excluded[0].starts_with("ring: the rule is for blocking calls"));
  CHECK(choose(settings, two_nodes, request(bcast, 4096)).text == "binomial");
  Settings forced = settings;
  forced.specs[allreduce] = "ring";
  CHECK(choose(forced, two_nodes, request(allreduce, 4096)).text == "ring");
  CHECK(choose(settings, one_node, ask(allreduce, 4096)).text == "ring");
  CHECK(choose(settings, one_node, request(allreduce, 4096)).kind == Choice::Kind::node);  // the shipped rule
  CHECK(choose(settings, one_node, request(gather, 1000)).kind == Choice::Kind::node);
  std::vector<Warning> warnings;
  CHECK_FALSE(Selector(with_profile("[[rule]]\ncollective = 'allreduce'\nuse = 'ring'\n"), two_nodes, warnings)
                  .wiring_of_requests()
                  .messages);
}

TEST_CASE("unsound rules become warnings of the selector") {
  std::vector<Warning> warnings;
  Selector selector(with_profile("[[rule]]\ncollective = 'bcast'\nuse = 'binomail'\n"), one_node, warnings);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].text.starts_with("dir/cluster.toml line 4, column 8: unknown algorithm 'binomail' for bcast"));
  CHECK(selector.choose(ask(bcast, 8)).kind == Choice::Kind::node);
}

TEST_CASE("reproducible reductions do not depend on the placement") {
  for (const std::int64_t bytes : {-1, 8, 1 << 20}) {
    for (std::size_t i = 0; i < collective_names.size(); ++i) {
      const auto collective = static_cast<Collective>(i);
      if (!reduces(collective)) continue;
      Settings settings = with_profile("[[rule]]\ncollective = 'allreduce'\nuse = 'ring'\nnodes = '2:'\n");
      settings.reproducible = true;
      const Choice near = choose(settings, one_node, ask(collective, bytes));
      CHECK(near.kind == Choice::Kind::flat);
      for (const Placement& placement : {two_nodes, Placement{8, 8, 1, 1}, Placement{8, 3, 5, 1}})
        CHECK(brief(choose(settings, placement, ask(collective, bytes))) == brief(near));
    }
  }
  Settings settings = with(allreduce, "node");
  settings.reproducible = true;
  const Choice choice = choose(settings, one_node, ask(allreduce, 8));
  CHECK(brief(choice) == "recursive_doubling, TUTTI_REPRODUCIBLE");
  REQUIRE(choice.excluded.size() == 2);
  CHECK(choice.excluded[0].starts_with("node: TUTTI_REPRODUCIBLE"));
  Settings by_arrival = with(Collective::reduce, "linear_by_arrival");
  CHECK(choose(by_arrival, one_node, ask(Collective::reduce, 8)).text == "linear_by_arrival");
  by_arrival.reproducible = true;
  CHECK(choose(by_arrival, one_node, ask(Collective::reduce, 8)).text == "binomial_in_order");
  CHECK(choose(settings, one_node, ask(bcast, 8)).kind == Choice::Kind::node);  // moves data, changes no bits
}

TEST_CASE("ever_serves tells collectives that nothing but native can get") {
  std::vector<Warning> warnings;
  CHECK(Selector({}, one_node, warnings).ever_serves(bcast));
  CHECK(!Selector(with(allgather, "native"), one_node, warnings).ever_serves(allgather));
  CHECK(!Selector({}, two_nodes, warnings).ever_serves(bcast));
  CHECK(!Selector(with(bcast, "native"), one_node, warnings).ever_serves(bcast));
  CHECK(Selector(with(bcast, "binomial"), two_nodes, warnings).ever_serves(bcast));
  CHECK(!Selector(with(bcast, "node"), two_nodes, warnings).ever_serves(bcast));
  CHECK(!Selector(with(bcast, "binomial"), {}, warnings).ever_serves(bcast));
}

TEST_CASE("segment sizes become block counts") {
  const auto blocks = [](const std::string& spec, std::int64_t bytes) {
    const Choice choice = choose(with(bcast, spec), one_node, ask(bcast, bytes));
    return parameters_for(choice, bytes)[0];
  };
  CHECK(blocks("pipelined_chain(segment=64K)", 1 << 20) == 16);
  CHECK(blocks("pipelined_chain(segment=64K)", (1 << 20) + 1) == 17);
  CHECK(blocks("pipelined_chain(segment=64K)", 1) == 1);
  CHECK(blocks("pipelined_chain(segment=64K)", 0) == 1);
  CHECK(blocks("pipelined_chain(segment=64K)", -1) == 1);
  CHECK(blocks("pipelined_chain", 1 << 20) == 16);  // the standard of the catalogue
  CHECK(blocks("pipelined_chain(segment=256)", std::int64_t{1} << 50) == 1 << 20);
  CHECK(parameters_for(choose({}, one_node, ask(bcast, 8)), 8) == Parameters{});
}

TEST_CASE("the reference stays good, whatever else is asked") {
  std::vector<Warning> warnings;
  Selector selector({}, one_node, warnings);
  const Choice& first = selector.choose(ask(bcast, 8));
  const Choice copy = first;
  for (std::int64_t bytes = 0; bytes < 100000; ++bytes) selector.choose(ask(bcast, bytes));
  CHECK(first.text == copy.text);
  CHECK(&selector.choose(ask(bcast, 8)) == &first);
}

TEST_CASE("choosing again costs next to nothing") {
  std::vector<Warning> warnings;
  Selector selector({}, one_node, warnings);
  constexpr int calls = 1'000'000;
  const auto start = std::chrono::steady_clock::now();
  int served = 0;
  for (int i = 0; i < calls; ++i) served += selector.choose(ask(allreduce, 8 * (i & 3))).kind == Choice::Kind::node;
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  CHECK(served == calls);
  MESSAGE("a cached choice took " << taken.count() / calls << " ns");
  CHECK(taken.count() / calls < 1000);
}

TEST_CASE("a copy has the same rules and a cache of its own, whichever goes first") {
  std::vector<Warning> warnings;
  auto first = std::make_unique<Selector>(with(bcast, "binomial"), one_node, warnings);
  Selector copy(*first);
  const CallSignature signature{.collective = allreduce, .bytes = 8, .count = 1};
  CHECK(copy.choose(signature).text == first->choose(signature).text);
  CHECK(&copy.choose(signature) != &first->choose(signature));
  const std::string before = first->choose({.collective = barrier}).text;
  first.reset();
  CHECK(copy.choose({.collective = barrier}).text == before);
}

#include "selection/choice.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <set>

#include "algorithms/catalogue.hpp"

using namespace tutti;
using enum Collective;

namespace {

const std::set<Collective> sized{bcast,     reduce,     allreduce, gather,         scatter,
                                 allgather, allgatherv, alltoall,  reduce_scatter, reduce_scatter_block,
                                 scan,      exscan};
constexpr Placement one_node{8, 1, 8, 8}, two_nodes{8, 2, 4, 4};

Settings with(Collective collective, const std::string& spec) {
  Settings settings;
  settings.specs[collective] = spec;
  return settings;
}

Settings with_profile(const std::string& rules) {
  Settings settings;
  settings.profile = "dir/cluster.toml";
  settings.profile_text = "schema = 1\n" + rules;
  return settings;
}

Choice choose(const Settings& settings, const Placement& placement, const Question& question) {
  std::vector<Warning> warnings;
  const Choice choice = Selector(settings, placement, warnings).choose(question);
  CHECK(warnings.empty());
  return choice;
}

/// "node, default.toml line 6".
std::string brief(const Choice& choice) {
  CHECK(choice.text == to_text(choice.spec));
  const bool named = choice.kind == Choice::Kind::hierarchy && choice.spec.arguments[0].name != "native";
  CHECK((choice.kind == Choice::Kind::flat || named) == (choice.algorithm != nullptr));
  return choice.text + ", " + choice.reason;
}

Question ask(Collective collective, std::int64_t bytes, bool commutative = true) {
  return {.collective = collective, .bytes = bytes, .commutative = commutative};
}

using Texts = std::vector<std::string>;

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

TEST_CASE("groups: an algorithm composed of others, between and inside") {
  const Choice ring = choose(with(allreduce, "groups(4, ring)"), two_nodes, ask(allreduce, 8));
  CHECK(brief(ring) == "groups(4, ring), TUTTI_ALLREDUCE");
  CHECK(ring.kind == Choice::Kind::flat);
  CHECK(ring.algorithm->name == "groups(ring)");
  CHECK(ring.algorithm == choose(with(allreduce, "groups(2, ring)"), one_node, ask(allreduce, 8)).algorithm);
  CHECK(parameters_for(ring, 8) == Parameters{{4}});
  CHECK(choose(with(allreduce, "groups(4, ring)"), one_node, ask(allreduce, 8, false)).excluded ==
        Texts{"groups(4, ring): the operator is not commutative"});
  CHECK(choose(with(bcast, "groups(9, chain)"), one_node, ask(bcast, 8)).excluded ==
        Texts{"groups(9, chain): 8 ranks do not make 9 groups"});
  CHECK(choose(with(bcast, "groups(4, native)"), one_node, ask(bcast, 8)).excluded ==
        Texts{"groups(4, native): groups of the MPI library's own collective are not served yet"});
  const Choice between = choose(with(bcast, "node(groups(2, chain), senders=2)"), two_nodes, ask(bcast, 8));
  CHECK(between.kind == Choice::Kind::hierarchy);
  CHECK(between.algorithm->name == "groups(chain)");
  CHECK(parameters_for(between, 8) == Parameters{{2}});
  CHECK(choose(with(bcast, "node(groups(3, chain))"), two_nodes, ask(bcast, 8)).excluded ==
        Texts{"node(groups(3, chain)): 2 nodes do not make 3 groups"});
  Settings reproducible = with(Collective::reduce, "groups(2, linear_by_arrival)");
  reproducible.reproducible = true;
  CHECK(choose(reproducible, one_node, ask(Collective::reduce, 8)).text == "binomial_in_order");
}

TEST_CASE("the parameters of levels stand one after the other, segments of what each phase moves") {
  const auto values = [](Collective collective, const std::string& spec, std::int64_t bytes) {
    return parameters_for(choose(with(collective, spec), one_node, ask(collective, bytes)), bytes);
  };
  CHECK(values(bcast, "groups(3, pipelined_chain(segment=8K))", 20000) == Parameters{{3, 3, 3}});
  CHECK(values(bcast, "groups(3, outer=pipelined_chain(segment=4K), inner=two_tree(segment=8K))", 20000) ==
        Parameters{{3, 5, 3}});
  CHECK(values(bcast, "groups(3, outer=chain, inner=k_nomial(k=7))", 20000) == Parameters{{3, 7}});
  CHECK(values(allreduce, "groups(3, outer=segmented_ring(segment=10K), inner=k_nomial(k=5))", 20000) ==
        Parameters{{3, 5, 2, 5}});
  CHECK(values(allreduce, "groups(3, outer=ring, inner=binary(segment=5K))", 20000) == Parameters{{3, 4}});
  // Eight ranks' blocks go through a group's broadcast together, and through its reduction.
  CHECK(values(allgather, "groups(3, outer=ring, inner=pipelined_chain(segment=8K))", 20000) == Parameters{{3, 20}});
  CHECK(values(reduce_scatter_block, "groups(3, outer=ring, inner=pipelined_chain(segment=8K))", 20000) ==
        Parameters{{3, 20}});
  CHECK(values(reduce_scatter, "groups(3, outer=ring, inner=pipelined_chain(segment=8K))", 20000) ==
        Parameters{{3, 3}});
}

TEST_CASE("without a number, as many groups as the root of the ranks where they pay") {
  const auto groups = [](const std::string& spec, int ranks, std::int64_t bytes, Collective collective = bcast) {
    const Choice choice = choose(with(collective, spec), {ranks, 1, ranks, ranks}, ask(collective, bytes));
    REQUIRE(choice.text == spec);
    return parameters_for(choice, bytes)[0];
  };
  // Hasanov et al.: always for chains (10), never for binomial trees, by condition 14 for scatter and allgather.
  for (const int ranks : {16, 100, 10000}) {
    const int root = ranks == 16 ? 4 : ranks == 100 ? 10 : 100;
    for (const std::int64_t bytes : {8, 1 << 20, 1 << 30}) {
      CHECK(groups("groups(chain)", ranks, bytes) == root);
      CHECK(groups("groups(flat)", ranks, bytes) == root);
      CHECK(groups("groups(binomial)", ranks, bytes) == ranks);
    }
    const std::int64_t border = std::int64_t{16384} * ranks / 2;  // alpha/beta = 2 m / p
    CHECK(groups("groups(scatter_ring_allgather)", ranks, border - border / 16) == root);
    CHECK(groups("groups(scatter_ring_allgather)", ranks, border + border / 16) == ranks);
    CHECK(groups("groups(scatter_ring_allgather, latency=1K)", ranks, border / 16 + border / 64) == ranks);
    CHECK(groups("groups(ring)", ranks, 8, allgather) == root);
  }
  // Few segments gain, many do not (11).
  CHECK(groups("groups(pipelined_chain(segment=64K))", 1024, 1 << 20) == 32);
  CHECK(groups("groups(pipelined_chain(segment=1K))", 1024, 1 << 30) == 1024);
  CHECK(groups("groups(linear)", 50, 0, barrier) == 7);
}

TEST_CASE("node(X): the node engine inside nodes, X between them") {
  const Choice ring = choose(with(allreduce, "node(ring)"), two_nodes, ask(allreduce, 8));
  CHECK(brief(ring) == "node(ring), TUTTI_ALLREDUCE");
  CHECK(ring.kind == Choice::Kind::hierarchy);
  CHECK(ring.algorithm == find_algorithm(allreduce, "ring"));
  CHECK(ring.senders == 1);
  const Choice native = choose(with(alltoallw, "node(native, senders=4)"), two_nodes, ask(alltoallw, -1));
  CHECK(brief(native) == "node(native, senders=4), TUTTI_ALLTOALLW");
  CHECK(native.kind == Choice::Kind::hierarchy);
  CHECK(native.senders == 4);
  const Choice chain = choose(with(bcast, "node(pipelined_chain(segment=8K))"), two_nodes, ask(bcast, 20000));
  CHECK(parameters_for(chain, 20000) == Parameters{{3}});
  CHECK(parameters_for(native, 20000) == Parameters{});
}

TEST_CASE("node(X) says what it lacks of the placement") {
  const auto obstacle = [](Collective collective, const std::string& spec, const Placement& placement,
                           bool commutative = true) {
    const Choice choice = choose(with(collective, spec), placement, ask(collective, 8, commutative));
    const std::string named = spec + ": ";
    if (choice.text == spec) return std::string();
    REQUIRE(!choice.excluded.empty());
    REQUIRE(choice.excluded[0].starts_with(named));
    return choice.excluded[0].substr(named.size());
  };
  const Placement uneven{7, 2, 4, 3}, mixed{8, 2, 4, 4, false}, lonely{8, 3, 5, 1};
  CHECK(obstacle(bcast, "node(binomial)", one_node) == "the ranks are on one node");
  CHECK(obstacle(bcast, "node(native)", one_node) == "the ranks are on one node");
  CHECK(obstacle(bcast, "node(binomial, senders=4)", two_nodes).empty());
  CHECK(obstacle(bcast, "node(binomial, senders=4)", uneven) == "the smallest node has only 3 ranks to send");
  CHECK(obstacle(bcast, "node(binomial, senders=2)", lonely) == "the smallest node has only 1 rank to send");

  CHECK(obstacle(allgather, "node(ring)", uneven).empty());
  CHECK(obstacle(gather, "node(binomial)", two_nodes).empty());
  CHECK(obstacle(gather, "node(binomial)", uneven) == "the nodes' blocks may differ in size");
  CHECK(obstacle(alltoall, "node(bruck)", uneven) == "the nodes' blocks may differ in size");
  CHECK(obstacle(gatherv, "node(binomial)", uneven).empty());

  // The order of ranks.
  CHECK(obstacle(allreduce, "node(recursive_doubling)", two_nodes, false).empty());
  CHECK(obstacle(allreduce, "node(ring)", two_nodes, false) == "the operator is not commutative");
  CHECK(obstacle(allreduce, "node(native)", two_nodes, false).empty());
  CHECK(obstacle(allreduce, "node(recursive_doubling)", mixed).empty());
  CHECK(obstacle(allreduce, "node(recursive_doubling)", mixed, false) == "the operator is not commutative");
  CHECK(obstacle(allreduce, "node(native)", mixed, false) == "the operator is not commutative");
  CHECK(obstacle(bcast, "node(native)", mixed, false).empty());
  for (const Collective prefix : {scan, exscan}) {
    CHECK(obstacle(prefix, "node(linear)", two_nodes, false).empty());
    CHECK(obstacle(prefix, "node(linear)", mixed) == "the ranks of a node are not consecutive");
    CHECK(obstacle(prefix, "node(native)", mixed) == "the ranks of a node are not consecutive");
  }
  Settings reproducible = with(allreduce, "node(ring)");
  reproducible.reproducible = true;
  CHECK(choose(reproducible, two_nodes, ask(allreduce, 8)).excluded[0].starts_with("node(ring): TUTTI_REPRODUCIBLE"));
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
)");
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
  const Question question{.collective = allreduce, .bytes = 8, .count = 1};
  CHECK(copy.choose(question).text == first->choose(question).text);
  CHECK(&copy.choose(question) != &first->choose(question));
  const std::string before = first->choose({.collective = barrier}).text;
  first.reset();
  CHECK(copy.choose({.collective = barrier}).text == before);
}

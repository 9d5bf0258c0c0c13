/// Specs that are made of others: groups and node(X).
#include <doctest/doctest.h>

#include "algorithms/catalogue.hpp"
#include "algorithms/composite.hpp"
#include "choosing.hpp"

using namespace tutti;
using namespace tutti::testing;
using enum Collective;

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

TEST_CASE("a measured layout speaks for those near it, and says so; other rules do not") {
  const std::string keys =
      "[[rule]]\ncollective = \"allreduce\"\nuse = \"node(ring)\"\nnodes = \"4\"\nranks = \"16\"\nppn = \"4\"\n";
  const std::string measured = keys + "measured = { date = \"2026-01-02\" }\n";
  const CallSignature signature = ask(Collective::allreduce, 1024);
  CHECK(brief(choose(with_profile(measured), {16, 4, 4, 4}, signature)) == "node(ring), cluster.toml line 2");
  CHECK(brief(choose(with_profile(measured), {32, 8, 4, 4}, signature)) ==
        "node(ring), cluster.toml line 2, measured at 16 ranks: the nearest layout of the profile");
  CHECK(choose(with_profile(keys), {32, 8, 4, 4}, signature).text != "node(ring)");
  CHECK(choose(with_profile(measured), {128, 32, 4, 4}, signature).text != "node(ring)");
  CHECK(choose(with_profile(measured), {16, 1, 16, 16}, signature).text != "node(ring)");
  // The nearer of two layouts, and an exact one before both.
  std::string far = measured;
  far.replace(far.find("ring"), 4, "rabenseifner").replace(far.find("\"4\""), 3, "\"2\"");
  far.replace(far.find("\"16\""), 4, "\"8\"");
  CHECK(choose(with_profile(far + measured), {24, 6, 4, 4}, signature).text == "node(ring)");
  CHECK(choose(with_profile(measured + far), {8, 2, 4, 4}, signature).text == "node(rabenseifner)");
}

TEST_CASE("what a measured layout says is fitted to smaller nodes, and passed over where it cannot serve") {
  const auto rule = [](const std::string& use, int ranks, int nodes) {
    return "[[rule]]\ncollective = \"allgather\"\nuse = \"" + use + "\"\nnodes = \"" + std::to_string(nodes) +
           "\"\nranks = \"" + std::to_string(ranks) + "\"\nmeasured = { date = \"2026-01-02\" }\n";
  };
  const CallSignature signature = ask(Collective::allgather, 1024);
  const std::string all_send = rule("node(ring, senders=4)", 16, 4);
  CHECK(choose(with_profile(all_send), {16, 4, 4, 4}, signature).text == "node(ring, senders=4)");
  CHECK(choose(with_profile(all_send), {12, 4, 3, 3}, signature).text == "node(ring, senders=3)");
  CHECK(choose(with_profile(all_send), {12, 4, 3, 3}, signature).senders == 3);
  CHECK(choose(with_profile(all_send), {4, 4, 1, 1}, signature).text == "node(ring)");
  const std::string many = rule("groups(16, ring)", 16, 4), ring = rule("ring", 32, 8);
  CHECK(brief(choose(with_profile(ring + many), {12, 3, 4, 4}, signature)) ==
        "ring, cluster.toml line 2, measured at 32 ranks: the nearest layout of the profile");
}

#include "selection/spec.hpp"

#include <doctest/doctest.h>

#include "algorithms/catalogue.hpp"
#include "shm/variants/variants.hpp"

using namespace tutti;
using enum Collective;

namespace {

std::string canonical(std::string_view text, Collective collective) {
  const Spec spec = parse_spec(text, collective);
  const std::string again = to_text(spec);
  CHECK(parse_spec(again, collective) == spec);
  return again;
}

std::string complaint(std::string_view text, Collective collective) try {
  parse_spec(text, collective);
  return "none";
} catch (const SpecError& error) {
  CHECK(error.column >= 1);
  CHECK(error.column <= text.size() + 1);
  return error.what();
}

}  // namespace

TEST_CASE("every form of the language is read, and written canonically") {
  CHECK(canonical("ring", allreduce) == "ring");
  CHECK(canonical("ring()", allreduce) == "ring");
  CHECK(canonical(" Ring ", allreduce) == "ring");
  CHECK(canonical("pipelined_chain(segment=64K)", bcast) == "pipelined_chain(segment=64K)");
  CHECK(canonical("pipelined_chain( SEGMENT = 65536 )", bcast) == "pipelined_chain(segment=64K)");
  CHECK(canonical("pipelined_chain(segment=1000)", bcast) == "pipelined_chain(segment=1000)");
  CHECK(canonical("groups(16, pipelined_chain)", bcast) == "groups(16, pipelined_chain)");
  CHECK(canonical("groups(16,outer=ring,inner=rabenseifner)", allreduce) ==
        "groups(16, outer=ring, inner=rabenseifner)");
  CHECK(canonical("groups(16, inner=rabenseifner, outer=ring)", allreduce) ==
        "groups(16, outer=ring, inner=rabenseifner)");
  CHECK(canonical("groups(1K, outer=chain, inner=chain)", bcast) == "groups(1024, chain)");
  CHECK(canonical("groups(3, outer=k_nomial(k=3), inner=k_nomial(k=3))", bcast) == "groups(3, k_nomial(k=3))");
  CHECK(canonical("groups(chain)", bcast) == "groups(chain)");
  CHECK(canonical("groups(auto, chain)", bcast) == "groups(chain)");
  CHECK(canonical("groups(auto, latency=16384, inner=flat, outer=chain)", bcast) ==
        "groups(latency=16K, outer=chain, inner=flat)");
  CHECK(canonical("groups(4, outer=native, inner=native)", bcast) == "groups(4, native)");
  CHECK(canonical("node", bcast) == "node");
  CHECK(canonical("node(single_copy=16K)", bcast) == "node(single_copy=16K)");
  CHECK(canonical("node(copy=cma)", alltoallv) == "node(single_copy=1)");
  CHECK(canonical("node(copy=arena)", alltoallv) == "node");
  CHECK(canonical("node(copy=CLOCK)", alltoallv) == "node(copy=clock)");
  CHECK(canonical("node(rabenseifner)", allreduce) == "node(rabenseifner)");
  CHECK(canonical("node(ring, senders=4)", allreduce) == "node(ring, senders=4)");
  CHECK(canonical("node(senders=4, ring)", allreduce) == "node(ring, senders=4)");
  CHECK(canonical("node(senders=4, ring, overlap=65536)", allreduce) == "node(ring, overlap=64K, senders=4)");
  CHECK(canonical("node(native)", alltoallw) == "node(native)");
  CHECK(canonical("node(pairwise, direct=16384)", Collective::alltoall) == "node(pairwise, direct=16K)");
  CHECK(canonical("node(groups(4, pipelined_chain(segment=8K)), senders=2)", bcast) ==
        "node(groups(4, pipelined_chain(segment=8K)), senders=2)");
  CHECK(canonical("native", exscan) == "native");
}

TEST_CASE("every algorithm of the catalogue is a spec of its collective") {
  for (const Algorithm& algorithm : catalogue()) {
    CHECK(canonical(algorithm.name, algorithm.collective) == algorithm.name);
    for (const ParameterInfo& parameter : algorithm.parameters) {
      const std::string text = std::string(algorithm.name) + "(" + std::string(parameter.name) + "=" +
                               std::to_string(parameter.standard) + ")";
      CHECK(parse_spec(text, algorithm.collective).option(parameter.name)->number == parameter.standard);
    }
  }
}

TEST_CASE("levels of groups have algorithms of their own collectives") {
  // allreduce: a reduction inside, an allreduce between, a broadcast inside.
  CHECK(canonical("groups(4, outer=ring, inner=pipelined_chain(segment=8K))", allreduce) ==
        "groups(4, outer=ring, inner=pipelined_chain(segment=8K))");
  CHECK(complaint("groups(4, outer=ring, inner=ring)", allreduce)
            .starts_with("unknown algorithm 'ring' for allreduce inside groups (column 29); "));
  CHECK(complaint("groups(4, outer=chain, inner=chain)", allreduce)
            .starts_with("unknown algorithm 'chain' for allreduce between groups (column 17); "));
  CHECK(complaint("groups(4, outer=linear, inner=binmial)", barrier) ==
        "unknown algorithm 'binmial' for barrier inside groups (column 31); did you mean 'binomial'?");
  CHECK(complaint("groups(4, outer=linear, inner=pipelined_chain)", barrier)
            .starts_with("unknown algorithm 'pipelined_chain' for barrier inside groups (column 31); "));
  CHECK(canonical("groups(4, outer=doubling_123, inner=linear)", scan) ==
        "groups(4, outer=doubling_123, inner=linear)");
  CHECK(canonical("groups(4, binary(segment=8K))", Collective::reduce) == "groups(4, binary(segment=8K))");
  CHECK(complaint("groups(4, outer=ring, inner=binary(segmnt=8K))", allreduce) ==
        "unknown parameter 'segmnt' of binary (column 36); did you mean 'segment'?");
  CHECK(complaint("groups(4, pipelined_chain(segment=1))", bcast) ==
        "'segment' is a number from 256 to 1G, not 1 (column 35)");
  CHECK(complaint("groups(4, linear)", gatherv) ==
        "there are no groups for gatherv (column 1); name one of its algorithms");
  CHECK(complaint("groups(4, chain, latency=8K)", bcast) ==
        "'latency' decides whether groups pay; their number is given here (column 18); as in groups(auto, ring, "
        "latency=16K)");
  CHECK(complaint("groups(4, groups(2, chain))", bcast).starts_with("unknown algorithm 'groups' for bcast in groups"));
}

TEST_CASE("a misspelling names the word, the column and the nearest valid one") {
  CHECK(complaint("rign", allreduce) == "unknown algorithm 'rign' for allreduce (column 1); did you mean 'ring'?");
  CHECK(complaint("node(rign)", allreduce) ==
        "unknown algorithm 'rign' for allreduce between nodes (column 6); did you mean 'ring'?");
  CHECK(complaint("groups(4, rign)", allreduce) ==
        "unknown algorithm 'rign' for allreduce in groups (column 11); did you mean 'ring'?");
  CHECK(complaint("nodes", barrier) == "unknown algorithm 'nodes' for barrier (column 1); did you mean 'node'?");
  CHECK(complaint("pipelined_chain(segmnet=64K)", bcast) ==
        "unknown parameter 'segmnet' of pipelined_chain (column 17); did you mean 'segment'?");
  CHECK(complaint("node(ring, sender=4)", allreduce) ==
        "unknown parameter 'sender' of node (column 12); did you mean 'senders'?");
  CHECK(complaint("node(copy=cam)", bcast) ==
        "'copy' is arena, clock or cma, not 'cam' (column 11); did you mean 'cma'?");
  CHECK(complaint("groups(4, outre=ring, inner=ring)", allreduce) ==
        "unknown parameter 'outre' of groups (column 11); did you mean 'outer'?");
  CHECK(complaint("quicksort", barrier) ==
        "unknown algorithm 'quicksort' for barrier (column 1); valid: linear, tree, dissemination, k_dissemination, "
        "recursive_doubling, double_ring, node, groups, native");
}

TEST_CASE("a variant of the node engine is named by an option") {
  CHECK(canonical("node(variant=STRIPED)", allreduce) == "node(variant=striped)");
  CHECK(canonical("node(variant=tree)", Collective::barrier) == "node(variant=tree)");
  CHECK(canonical("node(tree)", Collective::barrier) == "node(tree)");  // the algorithm, between nodes
  for (const shm::VariantRow& row : shm::variants())
    for (std::size_t i = 0; i < collective_names.size(); ++i)
      if (const auto which = static_cast<Collective>(i); row.serves(which)) {
        const std::string text = "node(variant=" + std::string(row.name) + ")";
        CHECK(canonical(text.c_str(), which) == text);
      }
  CHECK(complaint("node(variant=stripde)", allreduce) ==
        "unknown variant 'stripde' of allreduce (column 14); did you mean 'striped'?");
  CHECK(complaint("node(variant=striped)", bcast) ==
        "unknown variant 'striped' of bcast (column 14); valid: one_copy, clock, tree, slots, rings");
  CHECK(complaint("node(striped)", allreduce) ==
        "unknown algorithm 'striped' for allreduce between nodes (column 6); as in node(variant=striped)");
  CHECK(complaint("node(variant=slots, variant=line)", allreduce) == "'variant' stands twice (column 21)");
  CHECK(complaint("node(ring, variant=slots)", allreduce) ==
        "'variant' is of ranks that share one node (column 1); leave the algorithm out");
  CHECK(complaint("node(variant=slots, single_copy=4K)", allreduce) ==
        "'variant' says how data is copied (column 1); leave 'copy' and 'single_copy' out");
}

TEST_CASE("an error's sentence also stands without the column") {
  try {
    parse_spec("rign", allreduce);
    FAIL("accepted");
  } catch (const SpecError& error) {
    CHECK(error.column == 1);
    CHECK(error.sentence == "unknown algorithm 'rign' for allreduce; did you mean 'ring'?");
  }
}

TEST_CASE("an algorithm of another collective is none of this one") {
  CHECK(complaint("pairwise", allreduce).starts_with("unknown algorithm 'pairwise' for allreduce"));
}

TEST_CASE("values are checked against their ranges") {
  CHECK(complaint("pipelined_chain(segment=1)", bcast) == "'segment' is a number from 256 to 1G, not 1 (column 25)");
  CHECK(complaint("pipelined_chain(segment=big)", bcast) ==
        "'segment' is a number from 256 to 1G, not 'big' (column 25)");
  CHECK(complaint("pipelined_chain(segment=64Q)", bcast) ==
        "'64q' is not a number (column 25); write for example 64 or 64K");
  CHECK(complaint("groups(0, ring)", allreduce) == "'groups' is a number from 1 to 1G, not 0 (column 8)");
  CHECK(complaint("node(ring, senders=0)", allreduce) == "'senders' is a number from 1 to 1K, not 0 (column 20)");
}

TEST_CASE("what makes no sense together is refused, and says what does") {
  const auto contains = [](const std::string& text, const char* part) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, text);
  };
  contains(complaint("pipelined_chain(64K)", bcast), "as in pipelined_chain(segment=64k)");
  contains(complaint("pipelined_chain(segment=1K, segment=2K)", bcast), "'segment' stands twice (column 29)");
  contains(complaint("ring(segment=1K)", allreduce), "'ring' takes no parameters");
  contains(complaint("native(ring)", allreduce), "'native' takes no parameters");
  contains(complaint("node(copy=cma, single_copy=4K)", bcast), "'single_copy' stands twice");
  contains(complaint("node(copy=arena, copy=clock, copy=clock)", alltoallv), "'copy' stands twice");
  CHECK(canonical("node(single_copy=4K, copy=clock)", alltoallv) == "node(copy=clock, single_copy=4K)");
  contains(complaint("node(copy=xpmem)", bcast), "'copy' is arena, clock or cma, not 'xpmem'");
  CHECK(canonical("node(copy=clock)", bcast) == "node(copy=clock)");
  contains(complaint("node(copy=twice)", bcast), "'copy' is arena, clock or cma, not 'twice'");
  contains(complaint("node(copy=clocks)", alltoallv), "did you mean 'clock'?");
  CHECK(canonical("node(copy=cma)", allreduce) == "node(single_copy=1)");
  CHECK(canonical("node(copy=clock)", Collective::reduce_scatter_block) == "node(copy=clock)");
  CHECK(canonical("node(native=clock, copy=clock)", Collective::alltoall) == "node(copy=clock, native=clock)");
  CHECK(canonical("node(variant=rings, native=clock)", Collective::alltoall) == "node(native=clock, variant=rings)");
  contains(complaint("node(native=always)", Collective::allgather), "'native' is clock, not 'always'");
  contains(complaint("node(native=clock, native=clock)", Collective::allgather), "'native' stands twice");
  contains(complaint("node(ring, native=clock)", Collective::allgather), "'native' is of ranks that share one node");
  contains(complaint("node(native=clock)", allreduce), "unknown parameter 'native' of node");
  contains(complaint("node(native=clock)", alltoallv), "unknown parameter 'native' of node");
  contains(complaint("node(native=clock)", bcast), "unknown parameter 'native' of node");
  contains(complaint("node(copy=cma)", Collective::scan), "unknown parameter 'copy' of node");
  contains(complaint("node(copy=cma)", Collective::barrier), "unknown parameter 'copy' of node");
  contains(complaint("node(senders=4)", allreduce), "as in node(ring, senders=4)");
  contains(complaint("node(direct=64K)", Collective::alltoall), "as in node(pairwise, direct=16K)");
  contains(complaint("node(bruck, direct=64K)", Collective::alltoall), "'direct' goes with pairwise order");
  contains(complaint("node(ring, direct=64K)", allgather), "unknown parameter 'direct' of node");
  contains(complaint("node(overlap=64K)", bcast), "as in node(ring, overlap=256K)");
  contains(complaint("node(ring, overlap=64K)", allgather), "unknown parameter 'overlap' of node");
  contains(complaint("node(ring, rabenseifner)", allreduce), "'node' takes one algorithm");
  contains(complaint("node(node)", allreduce), "unknown algorithm 'node' for allreduce between nodes");
  contains(complaint("groups", allreduce), "'groups' takes one algorithm for both levels");
  contains(complaint("groups(auto)", allreduce), "'groups' takes one algorithm for both levels");
  contains(complaint("groups(ring, 4)", allreduce), "the number of groups comes first (column 14)");
  contains(complaint("groups(4)", allreduce), "'groups' takes one algorithm for both levels");
  contains(complaint("groups(4, ring, ring)", allreduce), "'groups' takes one algorithm for both levels");
  contains(complaint("groups(4, outer=ring)", allreduce), "'groups' takes one algorithm for both levels");
  contains(complaint("groups(4, ring, inner=binomial)", allreduce), "'groups' takes one algorithm for both levels");
  contains(complaint("groups(4, outer=ring, outer=ring)", allreduce), "'outer' stands twice");
}

TEST_CASE("texts that are no specs at all") {
  CHECK(complaint("", bcast) == "expected a name or a number but the text ends (column 1)");
  CHECK(complaint("node(", bcast) == "expected a name or a number but the text ends (column 6)");
  CHECK(complaint("node(binomial", bcast) == "expected ',' or ')' but the text ends (column 14)");
  CHECK(complaint("binomial)", bcast) == "expected the end of the spec at ')' (column 9)");
  CHECK(complaint("binomial ring", bcast) == "expected the end of the spec at 'r' (column 10)");
  CHECK(complaint("=", bcast) == "expected a name or a number at '=' (column 1)");
  CHECK(complaint("groups(4=ring)", bcast) == "expected a name before '=' at 'r' (column 10)");
  CHECK(complaint(std::string(100000, '('), bcast) != "none");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "node(";
  CHECK(complaint(deep, bcast).starts_with("too many brackets"));
}

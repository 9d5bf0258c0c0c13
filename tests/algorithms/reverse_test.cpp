#include "algorithms/combinators/reverse.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "algorithms/bcast/bcast.hpp"
#include "algorithms/catalogue.hpp"
#include "analysis/bound_programs.hpp"
#include "analysis/meaning.hpp"
#include "analysis/text.hpp"
#include "analysis/verify.hpp"

using namespace tutti;

namespace {

Schedule parsed(const char* text) { return schedule_of(parse_program(text)); }

std::string text(Schedule schedule) { return to_text(program(std::move(schedule))); }

/// What makes a dual right: every element of the outcome, on every rank, is delivered exactly once, and nothing is
/// delivered that was there before.
bool delivers_once(const Problem& problem, const std::function<Schedule(Context)>& schedule) {
  const std::vector<BoundProgram> ranks = bind(problem, schedule);
  for (Rank me = 0; me < problem.size; ++me) {
    const BoundProgram& rank = ranks[static_cast<std::size_t>(me)];
    std::vector<int> written(static_cast<std::size_t>(rank.cells.size()));
    for (const MatchedStep& step : rank.bound)
      for (const Run& run : step.writes)
        for (std::int64_t cell = run.begin; cell < run.end; ++cell) ++written[static_cast<std::size_t>(cell)];
    for (int owner = 0; owner < rank.cells.owners(); ++owner) {
      if (!rank.cells.exists(Buffer::output, owner) || !held_after(problem, me, owner)) continue;
      const Run block = rank.cells.output(owner);
      const int expected = owner == held_before(problem, me) ? 0 : 1;
      for (std::int64_t cell = block.begin; cell < block.end; ++cell)
        if (written[static_cast<std::size_t>(cell)] != expected) return false;
    }
  }
  return true;
}

bool delivers_once(Collective collective, std::string_view name, int size) {
  const Algorithm* algorithm = find_algorithm(collective, name);
  REQUIRE(algorithm != nullptr);
  const std::int64_t count = one_vector(collective) ? 37 : 2;
  return delivers_once({collective, size, rooted(collective) ? size / 2 : 0, {}, {count}}, algorithm->schedule);
}

}  // namespace

TEST_CASE("a scatter turns into a gather") {
  CHECK(text(reversed(parsed("area scratch0[2:4] rotate 1 like output\nreceive scratch0[2:4] from 3\nround\n"
                             "send scratch0[3] to 0\nround\ncopy scratch0[2] to output[1]"))) ==
        "area scratch0[2:4] rotate 1 like input\ncopy input[1] to scratch0[2]\nreceive scratch0[3] from 0\nround\n"
        "send scratch0[2:4] to 3\nround\n");
}

TEST_CASE("between the same steps stands the same mark") {
  CHECK(text(reversed(parsed("send input[1] to 1\nfence\nsend input[2] to 2\nround\nsend input[3] to 3\nfence"))) ==
        "receive output[3] from 3\nround\nreceive output[2] from 2\nfence\nreceive output[1] from 1\nround\n");
}

TEST_CASE("a broadcast turns into a reduction; lower ranks stand on the left") {
  CHECK(text(reversed_reducing(1, parsed("receive output[0] from 3\nround\nsend output[0] to 0\nsend output[0] to 2\n"
                                         "round"))) ==
        "area any scratch0[0] like output\narea any scratch1[0] like output\n"
        "receive scratch0[0] from 2\nreduce output[0] = output[0] (+) scratch0[0]\n"
        "receive scratch1[0] from 0\nreduce output[0] = scratch1[0] (+) output[0]\nround\n"
        "send output[0] to 3\nround\n");
}

TEST_CASE("scratch for what arrives is as large as the largest run, and no more than is used") {
  const char* const forward = "send output[0]{1/9} to 1\nsend output[0]{2:5/9} to 1\nsend output[0]{5:7/9} to 1";
  CHECK(text(reversed_reducing(0, parsed(forward), 1)).starts_with("area any scratch0[0]{0:3/9} like output\nreceive"));
  CHECK(text(reversed_reducing(0, parsed("send output[3:5], output[0:1] to 1")))
            .starts_with("area any scratch0[0:2] like output\narea any scratch1[0] like output\n"
                         "receive scratch0[3:5], scratch1[0] from 1\nreduce"));
  CHECK(text(reversed_reducing(0, parsed("receive output[0] from 1"))) == "send output[0] to 1\n");
}

TEST_CASE("what has no dual is refused") {
  CHECK_THROWS_AS(program(reversed(parsed("area scratch0[0] like output\nreceive scratch0[0] from 1\n"
                                          "reduce output[0] = output[0] (+) scratch0[0]"))),
                  std::logic_error);
  CHECK_THROWS_AS(program(reversed_reducing(0, parsed("copy input[0] to output[0]"))), std::logic_error);
}

TEST_CASE("every schedule that is turned round delivers every block exactly once") {
  using enum Collective;
  for (int size : {1, 2, 3, 5, 8, 12, 17, 33}) {
    CAPTURE(size);
    for (const char* name : {"flat", "chain", "pipelined_chain", "pipelined_binary", "binomial", "k_nomial", "two_tree",
                             "circulant_n_block"}) {
      CAPTURE(name);
      CHECK(delivers_once(bcast, name, size));
    }
    for (const char* name : {"linear", "binomial", "k_nomial"}) CHECK(delivers_once(scatter, name, size));
  }
}

TEST_CASE("where a block comes twice, the reverse counts a contribution twice, and is refuted") {
  const int size = 8;
  const auto twice = find_algorithm(Collective::bcast, "scatter_ring_allgather")->schedule;
  CHECK_FALSE(delivers_once(Collective::bcast, "scatter_ring_allgather", size));
  const Problem reduction{Collective::reduce, size, 0, {}, {37}, false};
  CHECK(verify(reduction, [&](Context context) { return reversed_reducing(context.me, twice(context)); }));
}

TEST_CASE("the verifier rejects the circulant schedule whose sums do not strictly decrease, at p = 33") {
  const auto broadcast = [](bool strictly_decreasing) {
    return
        [=](Context context) { return bcast_circulant(context, 9, CirculantGraph(context.size, strictly_decreasing)); };
  };
  for (int size : {32, 33, 34, 65}) {
    CAPTURE(size);
    const Problem problem{Collective::bcast, size, 0, {}, {90}};
    CHECK_FALSE(verify(problem, broadcast(true)));
    CHECK(verify(problem, broadcast(false)).has_value() == (size == 33 || size == 65));
  }
}

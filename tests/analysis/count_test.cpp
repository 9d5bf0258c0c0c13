#include "analysis/count.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/text.hpp"

using namespace tutti;

namespace {

Cost cost(Collective collective, const std::vector<std::string>& programs, std::int64_t elements) {
  const Problem problem{collective, static_cast<int>(programs.size()), 0, {}, {elements}, true};
  return count(problem, [&](Context context) {
    return schedule_of(parse_program(programs[static_cast<std::size_t>(context.me)]));
  });
}

}  // namespace

TEST_CASE("a rank sends one message at a time") {
  CHECK(cost(Collective::bcast,
             {"send output[0] to 1\nsend output[0] to 2", "receive output[0] from 0", "receive output[0] from 0"},
             5) == Cost{2, 10, 0, 2});
}

TEST_CASE("segments on their way down a chain overlap") {
  const std::string first = "send output[0]{0/2} to 1\nsend output[0]{1/2} to 1\n";
  const std::string middle =
      "receive output[0]{0/2} from 0\nsend output[0]{0/2} to 2\n"
      "receive output[0]{1/2} from 0\nsend output[0]{1/2} to 2\n";
  const std::string last = "receive output[0]{0/2} from 1\nreceive output[0]{1/2} from 1\n";
  CHECK(cost(Collective::bcast, {first, middle, last}, 10) == Cost{3, 15, 0, 4});
}

TEST_CASE("sending and receiving overlap; combining takes turns") {
  const auto exchange = [](const std::string& peer, const std::string& reduce) {
    return "area scratch0[0] like output\nsend output[0] to " + peer + "\nreceive scratch0[0] from " + peer + "\n" +
           reduce;
  };
  CHECK(cost(Collective::allreduce,
             {exchange("1", "reduce output[0] = output[0] (+) scratch0[0]"),
              exchange("0", "reduce output[0] = scratch0[0] (+) output[0]")},
             7) == Cost{1, 7, 7, 2});
}

TEST_CASE("hops are messages that wait for what the one before has brought, not for their turn") {
  const auto of = [](Collective collective, const std::vector<std::string>& programs) {
    const Problem problem{collective, static_cast<int>(programs.size()), 0, {}, {5}, true};
    const auto schedule = [&](Context context) {
      return schedule_of(parse_program(programs[static_cast<std::size_t>(context.me)]));
    };
    return traffic(problem, schedule).hops;
  };
  const std::string take = "receive output[0] from 0";
  CHECK(of(Collective::bcast, {"send output[0] to 1\nsend output[0] to 2\nsend output[0] to 3", take, take, take}) ==
        1);
  CHECK(of(Collective::bcast, {"send output[0] to 1", take + "\nsend output[0] to 2", "receive output[0] from 1"}) ==
        2);
  const auto receive = [](const std::string& from) {
    return "receive scratch0[0] from " + from + "\nreduce output[0] = output[0] (+) scratch0[0]\n";
  };
  CHECK(of(Collective::reduce, {"area scratch0[0] like output\n" + receive("1") + receive("2"), "send output[0] to 0",
                                "send output[0] to 0"}) == 1);  // one buffer for both: still no message for the other
}

TEST_CASE("traffic is what leaves a node, or comes to it, of the node with the most") {
  const std::vector<std::string> chain = {"send output[0] to 1", "receive output[0] from 0\nsend output[0] to 2",
                                          "receive output[0] from 1\nsend output[0] to 3", "receive output[0] from 2"};
  const Problem problem{Collective::bcast, 4, 0, {}, {5}, true};
  const auto schedule = [&](Context context) {
    return schedule_of(parse_program(chain[static_cast<std::size_t>(context.me)]));
  };
  CHECK(traffic(problem, schedule) == Traffic{3, 1, 5, 0});
  CHECK(traffic(problem, schedule, 2) == Traffic{1, 1, 5, 5});   // two nodes, one message from the one to the other
  CHECK(traffic(problem, schedule, 3) == Traffic{1, 1, 5, 10});  // the last node has one rank
  CHECK(traffic(problem, schedule, 4) == Traffic{0, 0, 0, 15});
}

TEST_CASE("what is wrong is not counted") {
  CHECK_THROWS_AS(cost(Collective::bcast, {"send output[0] to 1", ""}, 1), std::logic_error);
}

/// Programs of GOAL whose times are worked out by hand: on `plain`, o = 1 us, g = 2 us, L = 10 us, G = 1 ns a byte.
#include <doctest/doctest.h>

#include "algorithms/constraints.hpp"
#include "goal_programs.hpp"
#include "simulation/goal/run.hpp"

using namespace tutti;
using namespace tutti::simulation;

namespace {

Time ends(const Machine& machine, std::string_view text) { return run_goal(machine, read_goal(text), false).end.at; }

std::string failure(const Machine& machine, std::string_view text) {
  try {
    ends(machine, text);
  } catch (const SimulationError& error) {
    return error.what();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

constexpr std::string_view one_message = "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\nrank 1 {\nrecv 1000b from 0\n}\n";

}  // namespace

TEST_CASE("GOAL: one message: o + s G + L + o") {
  const Result one = run_goal(plain(2), read_goal(one_message), false);
  CHECK(one.end.at == 13 * microsecond);
  CHECK(one.end.part(Part::overhead) == 2 * microsecond);
  CHECK(one.end.part(Part::transfer) == 1 * microsecond);
  CHECK(one.first_exit == 1 * microsecond);
  CHECK(one.counts.messages == 1);
  CHECK(one.counts.bytes_between == 1000);
  CHECK(ends(plain(1, 2), one_message) == 2'500'000);  // in a node: 0.5 + 0.5 + 1 + 0.5
}

TEST_CASE("GOAL: the card's gap: two sends that nothing orders") {
  // Processor: 0 to 1, 1 to 2.  The card takes the first at 1 and rests for g + s G = 3: the second leaves at 4, and
  // its first byte is there at 14, its last at 15; then o.
  CHECK(ends(plain(2),
             "num_ranks 2\nrank 0 {\nsend 1000b to 1\nsend 1000b to 1\n}\nrank 1 {\nrecv 1000b from 0\n"
             "recv 1000b from 0\n}\n") == 16 * microsecond);
}

TEST_CASE("GOAL: requires waits for the end, irequires for the begin") {
  const std::string calcs = "num_ranks 1\nrank 0 {\na: calc 5000\nb: calc 3000 cpu 1\n";
  CHECK(ends(plain(1), calcs + "}\n") == 5 * microsecond);
  CHECK(ends(plain(1), calcs + "b requires a\n}\n") == 8 * microsecond);
  CHECK(ends(plain(1), calcs + "b irequires a\n}\n") == 5 * microsecond);
  CHECK(ends(plain(1), "num_ranks 1\nrank 0 {\na: calc 5000\nb: calc 3000\nb irequires a\n}\n") == 8 * microsecond);
}

TEST_CASE("GOAL: a receive begins when it is posted, and ends when its message has been taken") {
  // Rank 1: the calc irequires the receive, which is posted at 0, so that it runs meanwhile; or requires it.
  const std::string program =
      "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\nrank 1 {\nr: recv 1000b from 0\nc: calc 4000\n";
  CHECK(ends(plain(2), program + "c irequires r\n}\n") == 13 * microsecond);
  CHECK(ends(plain(2), program + "c requires r\n}\n") == 17 * microsecond);
}

TEST_CASE("GOAL: a busy processor takes the message later, first come, first served") {
  // The message is there at 12.  The first calc lasts until 20, the second has waited since 5 (it requires one of cpu
  // 1): so it goes first, until 24, and what requires it ends at 34; the message is taken by 25.
  const std::string program =
      "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\nrank 1 {\nrecv 1000b from 0\ncalc 20000\n"
      "e: calc 5000 cpu 1\nc: calc 4000\nc requires e\n";
  CHECK(ends(plain(2), program + "}\n") == 25 * microsecond);
  CHECK(ends(plain(2), program + "d: calc 10000 cpu 1\nd requires c\n}\n") == 34 * microsecond);
}

TEST_CASE("GOAL: rendezvous: request, answer, data; what requires the send waits for them") {
  Machine machine = plain(2);
  machine.between.rendezvous = 1000;
  CHECK(ends(machine, one_message) == 34 * microsecond);  // o, 10, the answer o + 10, data 1 + 10, o
  const std::string program = "num_ranks 2\nrank 0 {\ns: send 1000b to 1\nc: calc 20000\n";
  const std::string other = "}\nrank 1 {\nrecv 1000b from 0\n}\n";
  CHECK(ends(machine, program + "c requires s\n" + other) == 43 * microsecond);  // the data has left at 23
  CHECK(ends(machine, program + "c irequires s\n" + other) == 34 * microsecond);
}

TEST_CASE("GOAL: tags and wildcards decide who gets what") {
  // Rank 0 sends tags 1, 2, 3; they come at 12, 15, 18 (gap 3).  Tag 3 is taken by its own receive, the first wildcard
  // gets tag 1; a calc of 10 after the receive of tag 2: 15 + o + 10.
  const std::string sends =
      "num_ranks 2\nrank 0 {\na: send 1000b to 1 tag 1\nb: send 1000b to 1 tag 2\n"
      "c: send 1000b to 1 tag 3\nb requires a\nc requires b\n}\nrank 1 {\n";
  CHECK(ends(plain(2), sends + "recv 1000b from 0 tag 3\nr: recv 1000b from 0 tag 2\nrecv 1000b from -1 tag -1\n"
                               "c: calc 10000\nc requires r\n}\n") ==
        27 * microsecond);  // 26 + o of tag 3, which waited
  CHECK(ends(plain(2), sends + "recv 1000b from 0 tag 3\nrecv 1000b from 0 tag 2\nr: recv 1000b from -1 tag -1\n"
                               "c: calc 10000\nc requires r\n}\n") == 25 * microsecond);  // 13 + 10, then o twice
  // From any rank, but of tag 2: at 15, o, 10, and then tag 3.
  CHECK(ends(plain(2), sends + "r: recv 1000b from -1 tag 2\nrecv 1000b from -1 tag 1\nrecv 1000b from 0 tag 3\n"
                               "c: calc 10000\nc requires r\n}\n") == 27 * microsecond);
  // Both receives take both messages: the first one gets the first, at 12.
  CHECK(ends(plain(2),
             "num_ranks 2\nrank 0 {\na: send 1000b to 1\nb: send 1000b to 1\nb requires a\n}\nrank 1 {\n"
             "r: recv 1000b from -1 tag -1\nrecv 1000b from 0\nc: calc 10000\nc requires r\n}\n") == 24 * microsecond);
}

TEST_CASE("GOAL: a nic is a card of the node") {
  Machine machine = plain(2, 2);
  machine.cards = 2;
  const std::string head = "num_ranks 4\nrank 0 {\nsend 1000b to 2\nsend 1000b to 2";
  const std::string tail = "\n}\nrank 1 {\n}\nrank 2 {\nrecv 1000b from 0\nrecv 1000b from 0\n}\nrank 3 {\n}\n";
  CHECK(ends(machine, head + tail) == 16 * microsecond);
  CHECK(ends(machine, head + " nic 1" + tail) == 14 * microsecond);  // leaves at 2 by the other card
  machine.cards = 1;
  CHECK(failure(machine, head + " nic 1" + tail) ==
        "rank 0, operation 2: uses nic 1, and a node of the machine has 1 card");
}

TEST_CASE("GOAL: what does not fit together ends with rank and operation") {
  const auto two = [](const std::string& zero, const std::string& one) {
    return "num_ranks 2\nrank 0 {\n" + zero + "\n}\nrank 1 {\n" + one + "\n}\n";
  };
  CHECK(failure(plain(2), two("calc 1", "calc 1\nrecv 8b from 0 tag 4")) ==
        "rank 1, operation 2: waits for a message from rank 0, tag 4, in vain (ranks that wait: 1)");
  CHECK(failure(plain(2), two("send 8b to 1 tag 3", "calc 1")) ==
        "rank 0, operation 1: sends a message, tag 3, that rank 1 never receives");
  CHECK(failure(plain(2), two("send 16b to 1", "recv 8b from 0")) ==
        "rank 1, operation 1: makes room for 8 bytes, but rank 0 sends 16 with its operation 1");
  CHECK(failure(plain(2), two("a: calc 1\nb: calc 1\na requires b\nb requires a", "")) ==
        "rank 0, operation 1: never begins: what it requires waits for it in turn (ranks that wait: 1)");
  CHECK(failure(plain(2), two("send 8b to 0", "")).find("rank 0, operation 1: names its own rank") == 0);
  CHECK(failure(plain(2), two("calc 9999999999999999999", "")).find("rank 0, operation 1: computes for 26 days") == 0);
  CHECK(
      failure(plain(2), two("a: calc 2000000000000000\nb: calc 2000000000000000\nb requires a", "")).find("26 days") !=
      std::string::npos);
  CHECK(failure(plain(2), two("send 9999999999999999b to 1", "")).find("1 PiB") != std::string::npos);
  CHECK(failure(plain(1), one_message) == "the program has 2 ranks, and the machine 1");
}

TEST_CASE("GOAL: messages of one pair do not overtake, though a request passes by the data before it") {
  Machine machine = plain(2);
  machine.between.rendezvous = 100'000;
  // 50 000 bytes leave at 1 and are there at 61; the request of the second message would be there at 12, waits until
  // 61, is answered at 61 + 1 + 10, and its data takes 100 + 10 from there (its card is free since 53), then o.
  CHECK(ends(machine,
             "num_ranks 2\nrank 0 {\na: send 50000b to 1\nb: send 100000b to 1\nb requires a\n}\nrank 1 {\n"
             "c: recv 50000b from -1\nd: recv 100000b from -1\nd requires c\n}\n") ==
        (62 + 11 + 110 + 1) * microsecond);
}

TEST_CASE("GOAL: the catalogue's schedules take the time that they take as schedules") {
  int equal = 0;
  for (const Algorithm& algorithm : catalogue())
    for (const Machine& machine : {plain(4), plain(7), plain(2, 4)}) {
      if (!obstacle(algorithm.constraints, {.ranks = machine.ranks()}).empty()) continue;
      Parameters standard;
      for (std::size_t i = 0; i < algorithm.parameters.size(); ++i)
        standard.values[i] = algorithm.parameters[i].kind == ParameterInfo::Kind::segment
                                 ? 3
                                 : static_cast<int>(algorithm.parameters[i].standard);
      const Call call{.collective = algorithm.collective,
                      .root = 0,
                      .bytes = algorithm.collective == Collective::barrier ? 0 : 4096,
                      .schedule = algorithm.schedule,
                      .parameters = standard};
      CAPTURE(algorithm.name);
      CAPTURE(name(algorithm.collective));
      CAPTURE(machine.ranks());
      const Result schedule = simulate(machine, call, unfolded());
      const std::vector<Program> programs = programs_of(machine, call);
      const Result goal = run_goal(machine, read_goal(written(programs, GoalFormat::binary)), false);
      CHECK(goal.counts.messages == schedule.counts.messages);
      CHECK(goal.counts.bytes_between >= schedule.counts.bytes_between);  // here with the sizes of blocks
      // A receive is taken when its message comes, there; here, when the rank needs it.
      CHECK(static_cast<double>(goal.end.at) == doctest::Approx(static_cast<double>(schedule.end.at)).epsilon(0.1));
      equal += goal.end.at == schedule.end.at;
    }
  CHECK(equal > 100);
}

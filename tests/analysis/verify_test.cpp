#include "analysis/verify.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "analysis/text.hpp"

using namespace tutti;

namespace {

/// The first fault of these programs, one text a rank, or nothing.
std::optional<Fault> faulty(Collective collective, std::vector<std::string> programs,
                            std::vector<std::int64_t> counts = {2}, bool ordered = true) {
  const Problem problem{collective, static_cast<int>(programs.size()), 0, {}, std::move(counts), ordered};
  return verify(problem, [&](Context context) {
    return schedule_of(parse_program(programs[static_cast<std::size_t>(context.me)]));
  });
}

std::string complaint(const std::optional<Fault>& fault) { return fault ? fault->expected : "nothing"; }

constexpr auto bcast = Collective::bcast;
constexpr auto allreduce = Collective::allreduce;
constexpr auto allgather = Collective::allgather;

const std::string exchange_low =
    "area scratch0[0] like output\nsend output[0] to 1\nreceive scratch0[0] from 1\n"
    "reduce output[0] = output[0] (+) scratch0[0]\n";
const std::string exchange_high =
    "area scratch0[0] like output\nsend output[0] to 0\nreceive scratch0[0] from 0\n"
    "reduce output[0] = scratch0[0] (+) output[0]\n";

}  // namespace

TEST_CASE("right schedules pass") {
  CHECK_FALSE(faulty(bcast, {"send output[0] to 1", "receive output[0] from 0"}));
  CHECK_FALSE(faulty(allreduce, {exchange_low, exchange_high}));
  CHECK_FALSE(faulty(
      allgather, {"send output[0] to 1\nreceive output[1] from 1", "send output[1] to 0\nreceive output[0] from 0"}));
  CHECK_FALSE(faulty(bcast, {""}));
}

TEST_CASE("every message has two ends of one size") {
  auto fault = faulty(bcast, {"send output[0] to 1\nround\nsend output[0] to 1", "receive output[0] from 0"});
  REQUIRE(fault);
  CHECK(fault->rank == 0);
  CHECK(fault->step == 2);
  CHECK(fault->text == "send output[0] to 1");
  CHECK(fault->neighbourhood == "  0  send output[0] to 1\n  1  round\n> 2  send output[0] to 1\n");
  CHECK(fault->expected == "2 messages go from rank 0 to rank 1, which receives 1");

  fault = faulty(bcast, {"send output[0] to 1", "receive output[0]{0/2} from 0"});
  REQUIRE(fault);
  CHECK(fault->rank == 1);
  CHECK(fault->expected == "makes room for 1 elements, but rank 0 sends 2 (its step 0: send output[0] to 1)");
  CHECK(complaint(faulty(bcast, {"send output[0] to 2", ""})) == "there is no rank 2");
  CHECK(complaint(faulty(bcast, {"send output[0] to 0", ""})) == "a rank sends nothing to itself");
}

TEST_CASE("the outcome is checked element by element, and nothing unwritten is read") {
  CHECK(complaint(faulty(bcast, {"", ""})) == "output[0] element 0 has never been written");
  CHECK(complaint(faulty(bcast, {"receive output[0] from 1", "send output[0] to 0"})) ==
        "element 0 of what it reads has not been written");
  CHECK(complaint(faulty(bcast, {"send output[0]{1/2}, output[0]{0/2} to 1", "receive output[0] from 0"})) ==
        "output[0] element 0 holds element 1 of owner 0 from rank 0, not element 0 of owner 0 from ranks 0..0");
  CHECK(complaint(faulty(allreduce, {"send output[0] to 1",
                                     "area scratch0[0] like output\nreceive scratch0[0] from 0\n"
                                     "reduce output[0] = scratch0[0] (+) output[0]"}))
            .starts_with("output[0] element 0 holds element 0 of owner 0 from rank 0, not"));
}

TEST_CASE("operands keep their order and count once") {
  std::string swapped = exchange_high;
  swapped.replace(swapped.find("= scratch0[0] (+) output[0]"), 27, "= output[0] (+) scratch0[0]");
  CHECK(complaint(faulty(allreduce, {exchange_low, swapped})) == "out of order: rank 1 on the left of rank 0");
  // Where the operator commutes the result is right, but its bits may differ from rank 0's.
  CHECK(complaint(faulty(allreduce, {exchange_low, swapped}, {2}, false)).find("bits may differ") != std::string::npos);
  CHECK(complaint(faulty(allreduce, {exchange_low + "reduce output[0] = output[0] (+) scratch0[0]\n", exchange_high}))
            .starts_with("the contribution of rank 1 would count twice"));
  CHECK(complaint(faulty(allreduce, {"reduce output[0]{0/2} = output[0]{0/2} (+) output[0]{1/2}", ""})) ==
        "element 0 of owner 0 from rank 0 would be combined with element 1 of owner 0 from rank 0");
}

TEST_CASE("blocks must exist, fit and not overlap") {
  CHECK(complaint(faulty(bcast, {"send scratch0[0] to 1", ""})) == "slot 0 is not declared");
  CHECK(complaint(faulty(bcast, {"send output[1] to 1", ""})) == "output[1] is outside the 1 owners");
  CHECK(complaint(faulty(bcast, {"send output[0]{1:4/3} to 1", ""})) == "output[0]{1:4/3} names no parts of one owner");
  CHECK(complaint(faulty(bcast, {"send input[0] to 1", ""})) == "input[0] does not exist on this rank");
  CHECK(complaint(faulty(bcast, {"area scratch0[0]{0/2} like output\ncopy output[0] to scratch0[0]", ""})) ==
        "elements [0, 2) lie outside their area of 1");
  CHECK(complaint(faulty(bcast, {"area scratch0[0] like output\narea scratch0[0] like output", ""})) ==
        "slot 0 is declared twice");
  CHECK(complaint(faulty(Collective::alltoall, {"copy output[0] to input[0]", ""})) == "the input is never written");
  CHECK(complaint(faulty(bcast, {"copy output[0] to output[0]", ""})) == "writes what it reads");
  CHECK(complaint(faulty(bcast, {"", "receive output[0], output[0]{0/2} from 0"})) == "writes the same elements twice");
  CHECK(complaint(faulty(bcast, {"area scratch0[0] like output\ncopy output[0]{0/2} to scratch0[0]", ""})) ==
        "copies 1 elements into 2");
}

TEST_CASE("a receive into what is still being sent deadlocks when sends wait") {
  const auto step = [](int to, int from) {
    return "area scratch0[0] like output\ncopy output[" + std::to_string(from == to ? 1 - to : 0) +
           "] to scratch0[0]\nsend scratch0[0] to " + std::to_string(to) + "\nreceive scratch0[0] from " +
           std::to_string(from) + "\ncopy scratch0[0] to output[" + std::to_string(from) + "]\n";
  };
  const auto fault = faulty(allgather, {step(1, 1), step(0, 0)});
  REQUIRE(fault);
  CHECK(fault->expected ==
        "deadlock when sends wait for their receives: rank 0 in step 2, rank 1 in step 2 wait for each other");
}

TEST_CASE("nothing beyond the marked round is counted on") {
  const std::string first = "send output[0] to 1\nreceive output[1] from 1\n";
  const std::string second = "send output[1] to 0\nround\nreceive output[0] from 0\n";
  CHECK(complaint(faulty(allgather, {first, second})) == "nothing");
  const std::string apart = "send output[0] to 1\nround\nreceive output[1] from 1\n";
  CHECK(complaint(faulty(allgather, {apart, second})).starts_with("deadlock when sends wait"));
}

TEST_CASE("waiting for each other's message first deadlocks even with buffers") {
  const auto fault = faulty(allreduce, {"area scratch0[0] like output\nreceive scratch0[0] from 1\n"
                                        "reduce output[0] = output[0] (+) scratch0[0]\nsend output[0] to 1",
                                        "area scratch0[0] like output\nreceive scratch0[0] from 0\n"
                                        "reduce output[0] = scratch0[0] (+) output[0]\nsend output[0] to 0"});
  CHECK(complaint(fault).starts_with("deadlock"));
}

TEST_CASE("a receive may come first, as long as its round lasts") {
  const auto exchange = [](int me, const std::string& mark) {
    const std::string other = std::to_string(1 - me), mine = std::to_string(me);
    return "receive output[" + other + "] from " + other + "\n" + mark + "send output[" + mine + "] to " + other;
  };
  CHECK_FALSE(faulty(allgather, {exchange(0, ""), exchange(1, "")}));
  CHECK(complaint(faulty(allgather, {exchange(0, "round\n"), exchange(1, "round\n")})) ==
        "deadlock when sends wait for their receives: rank 0 in step 0, rank 1 in step 0 wait for each other");
}

TEST_CASE("a deadlock names the circle, not those who wait for it") {
  const auto passes = [](int from, int to) {
    return "receive output[" + std::to_string(from) + "] from " + std::to_string(from) + "\nround\nsend output[" +
           std::to_string(from) + "] to " + std::to_string(to);
  };
  const std::string outside = "send output[0] to 1\nround\nreceive output[3] from 3";
  const auto fault = faulty(allgather, {outside, "receive output[0] from 0\nround\n" + passes(3, 2), passes(1, 3),
                                        "send output[3] to 0\nround\n" + passes(2, 1)});
  REQUIRE(fault);
  CHECK(fault->rank == 1);
  CHECK(fault->expected ==
        "deadlock when sends wait for their receives: rank 1 in step 2, rank 3 in step 2, rank 2 in step 0 wait for "
        "each other");
}

TEST_CASE("an executor need not look further than its least window") {
  const auto exchange = [](int messages) {
    std::string steps[2];
    for (int me : {0, 1}) {
      const std::string other = std::to_string(1 - me), from = "[" + other + "] from " + other + "\n";
      for (int i = 0; i < messages; ++i) steps[me] += "receive output" + from;
      for (int i = 0; i < messages; ++i) steps[me] += "send output[" + std::to_string(me) + "] to " + other + "\n";
    }
    return faulty(allgather, {steps[0], steps[1]});
  };
  CHECK_FALSE(exchange(1));
  CHECK(complaint(exchange(least_window + 1)).starts_with("deadlock"));
}

TEST_CASE("one port is checked where it is claimed") {
  Problem problem{bcast, 3, 0, {}, {2}};
  const std::vector<std::string> programs{"send output[0] to 1\nsend output[0] to 2", "receive output[0] from 0",
                                          "receive output[0] from 0"};
  const auto schedule = [&](Context context) {
    return schedule_of(parse_program(programs[static_cast<std::size_t>(context.me)]));
  };
  CHECK_FALSE(verify(problem, schedule));
  problem.one_ported = true;
  const auto fault = verify(problem, schedule);
  CHECK(complaint(fault) == "sends a second message in a marked round, but claims to need one port");
  CHECK(fault->step == 1);
}

TEST_CASE("blocks are cut in one way") {
  CHECK(complaint(faulty(bcast,
                         {"send output[0]{0/2} to 1\nsend output[0]{2:4/4} to 1",
                          "receive output[0]{0/2} from 0\nreceive output[0]{1/2} from 0"},
                         {4})) ==
        "cuts a block into 4 parts, but a step since the last fence into 2 parts: what they share would depend on its "
        "size");
}

TEST_CASE("a barrier must have heard of every rank, by what its messages waited for") {
  const auto barrier = [](const std::string& second_round) {
    std::vector<std::string> programs;
    for (int me = 0; me < 4; ++me)
      programs.push_back("send token[0] to " + std::to_string((me + 1) % 4) + "\nreceive token[1] from " +
                         std::to_string((me + 3) % 4) + "\nround\nsend " + second_round + " to " +
                         std::to_string((me + 2) % 4) + "\nreceive token[2] from " + std::to_string((me + 2) % 4));
    return faulty(Collective::barrier, programs, {0});
  };
  CHECK_FALSE(barrier("token[0:2]"));
  CHECK(complaint(barrier("token[0]")).starts_with("the barrier may end before every rank has come"));
}

TEST_CASE("sizes that a rank does not know come with the blocks, and before they are used") {
  const auto gatherv = [](const std::string& middle, const std::string& leaf = "send sized input[2] to 1",
                          const std::string& root = "receive output[1:3] from 1") {
    return complaint(faulty(Collective::gatherv, {root, middle, leaf}, {1, 0, 3}));
  };
  const std::string area = "area learned scratch0[1:3] like output\n", own = "copy input[1] to scratch0[1]\n",
                    from_leaf = "receive sized scratch0[2] from 2\n", on = "send scratch0[1:3] to 0\n";
  CHECK(gatherv(area + own + from_leaf + on) == "nothing");
  CHECK(gatherv(area + from_leaf + on) == "the size of a block that it names has not been learned");
  CHECK(gatherv("", "", "receive sized output[1:3] from 1") ==
        "a sized message is received into learned positions alone");
  CHECK(gatherv(area + own + "receive scratch0[2] from 2\n" + on, "send input[2] to 1") ==
        "a learned position's size comes with a sized message");
  CHECK(gatherv("area scratch0[1:3] like output\n" + own + from_leaf + on) ==
        "the size of the area is not known on this rank");
  CHECK(gatherv(area + own + from_leaf + on, "send input[2] to 1").starts_with("expects the sizes of other blocks"));
  CHECK(gatherv("area learned scratch0[1:3] rotate 1 like output\n" + own + from_leaf + on)
            .starts_with("copies 0 elements into 3"));
  CHECK(
      gatherv(area + own + from_leaf + "send scratch0[2]{0/2} to 0").ends_with("names no whole positions of its area"));
  CHECK(gatherv("area any learned scratch0[1] like output\n") == "a learned area has whole positions");
}

TEST_CASE("a fault prints with its place") {
  const auto fault = faulty(bcast, {"round\nsend output[7] to 1", ""});
  REQUIRE(fault);
  CHECK(
      to_text(*fault) ==
      "rank 0, step 1: send output[7] to 1: output[7] is outside the 1 owners\n  0  round\n> 1  send output[7] to 1\n");
  const auto outcome = faulty(bcast, {"", "round"});
  REQUIRE(outcome);
  CHECK(to_text(*outcome) == "rank 1, after the last step: output[0] element 0 has never been written\n  0  round\n");
}

/// Messages that are received in any order: what the verifier proves of them, and what it refuses.
#include "analysis/sets.hpp"

#include <doctest/doctest.h>

#include "analysis/count.hpp"
#include "analysis/text.hpp"
#include "analysis/timeline.hpp"
#include "analysis/verify.hpp"

using namespace tutti;

namespace {

using Texts = std::vector<std::string>;

std::function<Schedule(Context)> schedules(const Texts& programs) {
  return [&programs](Context context) {
    return schedule_of(parse_program(programs[static_cast<std::size_t>(context.me)]));
  };
}

Problem problem_of(Collective collective, const Texts& programs, bool ordered = false) {
  return {collective, static_cast<int>(programs.size()), 0, {}, {2}, ordered};
}

/// What is wrong with these programs, one text a rank.
std::string complaint(Collective collective, const Texts& programs, bool ordered = false) {
  const auto fault = verify(problem_of(collective, programs, ordered), schedules(programs));
  return fault ? fault->expected : "nothing";
}

std::string reduced(const Texts& programs) { return complaint(Collective::reduce, programs); }

const std::string declared = "peers set0 1, 2\narea any scratch0[0] like output\n";
const std::string combines = "receive scratch0[0] from any of set0\nreduce output[0] = output[0] (+) scratch0[0]\n";
const std::string sends = "send output[0] to 0 in set0\n";
const Texts right{declared + combines + combines, sends, sends};

}  // namespace

TEST_CASE("what commutes may be combined as it comes") {
  CHECK(reduced(right) == "nothing");
  CHECK(reduced({"peers set0 1\narea any scratch0[0] like output\n" + combines, sends}) == "nothing");
  CHECK(complaint(Collective::barrier, {"peers set6 1, 2\nreceive token[0] from any of set6\n"
                                        "receive token[1] from any of set6\nsend token[0:2] to 1\nsend token[0:2] to 2",
                                        "send token[0] to 0 in set6\nreceive token[0] from 0",
                                        "send token[0] to 0 in set6\nreceive token[0] from 0"}) == "nothing");
}

TEST_CASE("what depends on who comes first is refused") {
  CHECK(complaint(Collective::reduce, right, true) ==
        "out of order: rank 0 on the left of 1 of the 2 messages to rank 0 in any order");
  // The right number of operands, whoever they are from.
  CHECK(
      reduced({declared + combines + "receive scratch0[0] from any of set0\n", sends, sends})
          .starts_with("output[0] element 0 holds element 0 of owner 0 from rank 0 and 1 of the 2 messages to rank 0"));
  CHECK(reduced({declared + combines + "reduce output[0] = output[0] (+) scratch0[0]\n" +
                     "receive scratch0[0] from any of set0\n",
                 sends, sends})
            .starts_with("what comes to rank 0 would count twice"));
  const std::string other = "peers set0 1, 2\nreceive output[1] from any of set0\nreceive output[2] from any of set0";
  CHECK(complaint(Collective::gather, {other, "send input[1] to 0 in set0", "send input[2] to 0 in set0"}) ==
        "gets element 0 of owner 1 from rank 1 or element 0 of owner 2 from rank 2, whichever comes first");
  CHECK(complaint(Collective::barrier, {"peers set0 1, 2\nreceive token[0] from any of set0\nsend token[0] to 1\n"
                                        "receive token[1] from any of set0\nsend token[0:2] to 2",
                                        "send token[0] to 0 in set0\nreceive token[0] from 0",
                                        "send token[0] to 0 in set0\nreceive token[0] from 0"})
            .starts_with("the barrier may end before every rank has come"));
}

TEST_CASE("a contribution that two of them bring counts twice") {
  const Texts twice{declared + combines + combines, "send output[0] to 2\n" + sends,
                    "area any scratch0[0] like output\nreceive scratch0[0] from 1\n"
                    "reduce output[0] = output[0] (+) scratch0[0]\n" +
                        sends};
  CHECK(reduced(twice).starts_with("the contribution of rank 1 would count twice"));
}

TEST_CASE("who has combined as it came may be among those who come") {
  const std::string inner =
      "peers set0 2, 3\narea any scratch0[0] like output\n" + combines + combines + "send output[0] to 0 in set1\n";
  const std::string root =
      "peers set1 1, 4\narea any scratch0[0] like output\nreceive scratch0[0] from any of set1\n"
      "reduce output[0] = output[0] (+) scratch0[0]\nreceive scratch0[0] from any of set1\n"
      "reduce output[0] = output[0] (+) scratch0[0]\n";
  const std::string leaf = "send output[0] to 1 in set0\n";
  CHECK(reduced({root, inner, leaf, leaf, "send output[0] to 0 in set1"}) == "nothing");
}

TEST_CASE("a set is those who send in it, one message each, of one size") {
  CHECK(reduced({"peers set0 1\narea any scratch0[0] like output\n" + combines + combines, sends, sends}) ==
        "rank 2 does not belong to set 0 of rank 0");
  CHECK(reduced({declared + combines + combines, sends, ""}) == "rank 2 sends nothing in this set");
  CHECK(reduced({declared + combines + combines, sends, "send output[0] to 0"}) ==
        "1 messages go from rank 2 to rank 0, which receives 0");
  CHECK(reduced({declared + combines, sends, sends}) == "has 2 members, but 1 steps receive from any of them");
  CHECK(reduced({declared + combines + combines, sends + sends, sends}) == "sends a second message in set 0 of rank 0");
  CHECK(reduced({declared + combines + combines, "send output[0] to 0 in set1", sends}) ==
        "there is no set 1 of rank 0");
  CHECK(reduced({"receive output[0] from any of set0", sends}) == "set 0 is not declared");
  CHECK(reduced({"peers set0 1\npeers set0 2", sends, sends}) == "set 0 is declared twice");
  CHECK(reduced({"peers set7 1", ""}) == "sets are numbered from 0 to 6");
  CHECK(reduced({"peers set0 1, 1", ""}) == "names a rank twice");
  CHECK(reduced({"peers set0 2", ""}) == "names a rank that is not there");
  CHECK(reduced({"peers set0 0", ""}) == "a rank sends nothing to itself");
  CHECK(reduced({declared + combines + combines, sends, "send output[0]{0/2} to 0 in set0"}) ==
        "makes room for 2 elements, but rank 2, which may come, sends 1");
}

TEST_CASE("no order of arrival may lead into a deadlock") {
  // Where rank 1 comes first, all goes well; where rank 2 does, rank 0 asks rank 1 for what that sends afterwards.
  const std::string asks =
      "receive scratch0[0] from any of set0\nreduce output[0] = output[0] (+) scratch0[0]\n"
      "round\nreceive scratch0[0] from 1\nround\n";
  const std::string why = reduced({declared + asks + combines, sends + "round\nsend output[0] to 0", sends});
  CHECK(why.starts_with("deadlock when sends wait for their receives"));
  // A message that is sent only when another one of the set has been received may not be waited for in any order.
  CHECK(reduced({declared + combines + "round\n" + combines, sends + "round\nsend output[0] to 2",
                 "area any scratch0[0] like output\nreceive scratch0[0] from 1\nround\n" + sends})
            .starts_with("deadlock"));
}

TEST_CASE("messages in sets and messages by number do not meet") {
  const std::string both = "area any scratch1[0] like output\nreceive scratch1[0] from 1\n";
  CHECK(reduced({declared + combines + combines + both, sends + "send output[0] to 0", sends}) == "nothing");
  CHECK(reduced({declared + both + combines + combines, sends + "send output[0] to 0", sends}) == "nothing");
}

TEST_CASE("one order of arrival is counted and drawn") {
  const Problem problem = problem_of(Collective::reduce, right);
  CHECK(count(problem, schedules(right)) == Cost{2, 4, 4, 2});
  const Timeline timeline = lay_out(problem, schedules(right));
  REQUIRE(timeline.messages.size() == 2);
  CHECK(timeline.messages[0].in_any_order);
  CHECK(timeline.messages[0].from == 1);
  CHECK(timeline.messages[1].from == 2);
  CHECK(timeline.messages[1].received == "scratch0[0]");
}

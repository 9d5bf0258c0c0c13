#include "analysis/text.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace tutti;

TEST_CASE("every kind of step has one readable line") {
  CHECK(to_text(send(3, wrapped(output(0), 6, 4, 8))) == "send output[6:8], output[0:2] to 3");
  CHECK(to_text(receive(1, part(scratch(1, 0), 2, 8))) == "receive scratch1[0]{2/8} from 1");
  CHECK(to_text(reduce_left(scratch(0, 0), output(0))) == "reduce output[0] = scratch0[0] (+) output[0]");
  CHECK(to_text(reduce_right(scratch(0, 0), output(0))) == "reduce output[0] = output[0] (+) scratch0[0]");
  CHECK(to_text(copy(scratch(0, 4), output(1))) == "copy scratch0[4] to output[1]");
  CHECK(to_text(send(2, token(0, 3))) == "send token[0:3] to 2");
  CHECK(to_text(send(2, BlockList{})) == "send nothing to 2");
  CHECK(to_text(scratch_area(0, 2, 3, 3)) == "area scratch0[2:5] rotate 3 like output");
  CHECK(to_text(scratch_area(0, 2, 3, 0, Buffer::input)) == "area scratch0[2:5] like input");
  CHECK(to_text(scratch_parts(1, 2, 8, 2)) == "area scratch1[0]{2:4/8} like output");
  CHECK(to_text(floating_owners(0)) == "area any scratch0[0] like output");
  CHECK(to_text(floating_parts(2, 8, 4)) == "area any scratch2[0]{0:4/8} like output");
  CHECK(to_text(round_mark()) == "round");
  CHECK(to_text(fence()) == "fence");
  CHECK(parse_program("fence") == Program{fence()});
  CHECK(to_text(Send{3, output(1, 2), true}) == "send sized output[1:3] to 3");
  CHECK(to_text(peers(2, {5, 0, 1, 2, 7})) == "peers set2 5, 0:3, 7");
  CHECK(to_text(send_in(2, 3, output(0))) == "send output[0] to 3 in set2");
  CHECK(to_text(receive_any(2, scratch(0, 0))) == "receive scratch0[0] from any of set2");
  CHECK(to_text(Receive{3, scratch(0, 1), true}) == "receive sized scratch0[1] from 3");
}

TEST_CASE("a program survives the way to text and back") {
  BlockList three{input(1), scratch(12, 3, 2), part(output(0), 1, 4, 3)};
  const Program steps{scratch_area(12, 0, 5, 2),
                      floating_parts(3, 7),
                      send(0, three),
                      receive(9, output(0, 0)),
                      copy({}, three),
                      round_mark(),
                      reduce_left(scratch(3, 0), output(2)),
                      reduce_right(scratch(3, 0), output(2)),
                      peers(0, {}),
                      peers(3, {1, 2, 3, 9, 4, 6}),
                      send_in(3, 7, three),
                      receive_any(0, three),
                      Area{.slot = 4, .first = 1, .count = 2, .learned = true},
                      Send{1, three, true},
                      Receive{1, scratch(4, 1, 2), true}};
  CHECK(parse_program(to_text(steps)) == steps);
  CHECK(program(schedule_of(steps)) == steps);
}

TEST_CASE("blank lines and comments mean nothing") {
  CHECK(parse_program("\n  # nothing yet\nround # the first\n\n") == Program{round_mark()});
  CHECK(parse_program("").empty());
}

TEST_CASE("what is no program is refused with its line") {
  const auto complaint = [](const char* text) -> std::string {
    try {
      parse_program(text);
    } catch (const TextError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(complaint("round\nsned output[0] to 1") ==
        "line 2: expected area, peers, send, receive, reduce, copy, round or fence at 'sned output[0] to 1'");
  CHECK(complaint("send output[0]") == "line 1: expected 'to' before the end");
  CHECK(complaint("send outptu[0] to 1") == "line 1: expected input, output, scratch or token at 'outptu[0] to 1'");
  CHECK(complaint("round round") == "line 1: expected nothing more on the line at 'round'");
  CHECK(complaint("reduce output[0] = scratch0[0] (+) scratch1[0]") ==
        "line 1: expected the result as one of the operands before the end");
  CHECK(complaint("send output[4:2] to 1").starts_with("line 1: expected a range"));
}

/// Files of GOAL: text and binary say the same, and what is no file is refused in one sentence.
#include <doctest/doctest.h>

#include <cstring>

#include "goal_programs.hpp"

using namespace tutti;
using namespace tutti::simulation;

namespace {

std::string refusal(std::string_view file) {
  try {
    read_goal(file);
  } catch (const GoalError& error) {
    return error.what();
  }
  return "";
}

/// What stands in a rank's braces.
std::string in_rank(const std::string& lines) { return "num_ranks 2\nrank 0 {\n" + lines + "\n}\nrank 1 {\n}\n"; }

}  // namespace

TEST_CASE("text to binary to text, and the other way round, changes nothing") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 500; ++i) {
    const std::vector<Program> programs = random_programs(random);
    const std::string text = written(programs, GoalFormat::text), binary = written(programs, GoalFormat::binary);
    CAPTURE(text);
    CHECK(read_goal(text) == programs);
    CHECK(read_goal(binary) == programs);
    CHECK(written(read_goal(written(read_goal(text), GoalFormat::binary)), GoalFormat::text) == text);
    CHECK(written(read_goal(written(read_goal(binary), GoalFormat::text)), GoalFormat::binary) == binary);
  }
}

TEST_CASE("the binary form byte by byte") {
  const std::string text =
      "num_ranks 2\nrank 0 {\nl1: send 300b to 1 tag 5 cpu 2 nic 1\nl2: calc 7\n"
      "l2 requires l1\nl2 irequires l1\n}\nrank 1 {\nl1: recv 300b from -1 tag -1\n}\n";
  const std::string file = written(read_goal(text), GoalFormat::binary);
  const unsigned char expected[] = {
      127, 16, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 1,                           // 4223, ranks, largest cpu and nic
      38, 0, 0, 0, 0, 0, 0, 0, 136, 0, 0, 0, 0, 0, 0, 0,                     // rank 0: 8 + 4 + 78 + 8 bytes
      136, 0, 0, 0, 0, 0, 0, 0, 187, 0, 0, 0, 0, 0, 0, 0,                    // rank 1: 8 + 4 + 39
      2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,                                    // two operations, one root, the first
      0, 0, 0, 0, 1, 1, 0, 0, 0, 44, 1, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 2, 1,  // waits for none; send
                                                                             // to 1, 300 bytes, tag
                                                                             // 5
      1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,                        // one after its end, one after its begin
      2, 0, 0, 0, 3, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,   // waits twice; calc of
                                                                             // 7
      0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0,                        // none after it
      1, 0, 0, 0, 1, 0, 0, 0,                                                // the second, and the second
      1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,                                    // rank 1
      0, 0, 0, 0, 2, 255, 255, 255, 255, 44, 1, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0};
  REQUIRE(file.size() == sizeof(expected));
  CHECK(std::memcmp(file.data(), expected, sizeof(expected)) == 0);
}

TEST_CASE("what others write: blanks, comments, operations without labels, options in their order") {
  const std::vector<Program> found = read_goal(
      "/* by\nhand */ num_ranks 2 // two\r\n\r\nrank 1 {recv 8 b from 0\n}\n"
      "rank 0 {\n  a_1: calc 3 cpu 1 /* here */\n\tb: send 8b to 1 nic 1\n"
      "b irequires a_1 // at once\n}");
  REQUIRE(found.size() == 2);
  CHECK(found[0].operations ==
        std::vector<Operation>{{Operation::Kind::calc, 1, 0, 0, 0, 3}, {Operation::Kind::send, 0, 1, 1, 0, 8}});
  CHECK(found[0].after_start(0).size() == 1);
  CHECK(found[0].after_end(0).empty());
  CHECK(found[1].operations == std::vector<Operation>{{Operation::Kind::receive, 0, 0, 0, 0, 8}});
}

TEST_CASE("a text that is none: the line, and what is wrong in it") {
  const std::pair<std::string, std::string> cases[] = {
      {"", "line 1: a program begins with num_ranks"},
      {"num_ranks 0\n", "line 1: a program has one rank"},
      {"/* a\nb */ // c\nnum_ranks 0\n", "line 3: a program has one rank"},
      {"num_ranks 99999999999", "line 1: the number of ranks is larger than 16777216"},
      {"num_ranks 16000000\nrank 0 {\n}\n", "line 1: the file is too short for 16000000 ranks"},
      {"num_ranks 2\nrank 0 {\n}\n", "line 4: rank 1 is missing"},
      {"num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n", "line 4: rank 0 is there already"},
      {"num_ranks 2\nrank 2 {\n}\n", "line 2: the rank is larger than 1"},
      {"num_ranks 2\nrank 0 {\n", "line 3: the } of rank 0 is missing"},
      {"num_ranks 2\nrank 0 {\n/* {\n", "line 3: the comment that begins here does not end"},
      {in_rank("l1: sent 8b to 1"), "line 3: send, recv or calc should stand here"},
      {in_rank("send 8 to 1"), "line 3: a size is a number and b"},
      {in_rank("send 8b from 1"), "line 3: `to` is missing"},
      {in_rank("send 8b to 7"), "line 3: the rank is larger than 1"},
      {in_rank("send 8b to -1"), "line 3: the rank is negative"},
      {in_rank("recv 8b from -2"), "line 3: the rank is negative"},
      {in_rank("send 8b to 1 cpu 256"), "line 3: the cpu is larger than 255"},
      {in_rank("send 99999999999999999999b to 1"), "line 3: the size is larger than 18446744073709551615"},
      {in_rank("calc 5 tag 3"), "line 3: the line should end before tag"},
      {in_rank("calc 5 5"), "line 3: the line should end here, there is '5'"},
      {in_rank("a: calc 5\na: calc 5"), "line 4: the label a is there already"},
      {in_rank("a: calc 5\na requires b"), "line 4: no operation before this line is called b"},
      {in_rank("a: calc 5\na needs b"), "line 4: a: neither an operation"},
      {in_rank("a: calc \xff"), "line 3: the time is missing, there is a byte 255"},
  };
  for (const auto& [text, said] : cases) {
    CAPTURE(text);
    CHECK(refusal(text).substr(0, said.size()) == said);
  }
}

TEST_CASE("a binary file that was cut short or changed is refused, or another program; never a crash") {
  std::mt19937_64 random(11);
  for (int i = 0; i < 300; ++i) {
    const std::string whole = written(random_programs(random), GoalFormat::binary);
    const std::size_t cut = random() % whole.size();
    CHECK((cut < 8 || !refusal(whole.substr(0, cut)).empty()));
    std::string changed = whole;
    for (int times = 0; times < 3; ++times) changed[random() % changed.size()] = static_cast<char>(random());
    const std::string said = refusal(changed);
    if (said.empty()) CHECK(written(read_goal(changed), GoalFormat::binary).size() > 0);
  }
  std::string used_up = written({Program{}}, GoalFormat::binary);
  used_up[0] = 38, used_up[1] = 9;  // 2342
  CHECK(refusal(used_up).find("used this file up") != std::string::npos);
}

TEST_CASE("a file that would be too long is refused before all ranks are made") {
  int made = 0;
  const ProgramSource source{1000, [&](Rank) {
                               ++made;
                               Program one;
                               one.operations.resize(100);
                               one.depend({});
                               return one;
                             }};
  std::string said;
  try {
    measure_goal(source, GoalFormat::binary, 1'000'000);
  } catch (const GoalError& error) {
    said = error.what();
  }
  // 4308 bytes a rank: 8 + 4 x 100 + 39 x 100.
  CHECK(said.find("about 4 MB, more than the 1 MB") != std::string::npos);
  CHECK(made < 240);
}

/// TUTTI_TUNE=online without an MPI: ranks with times of their own decide alike, on the fastest, within bounds.
#include "selection/online.hpp"

#include <algorithm>
#include <random>

#include "choosing.hpp"
#include "selection/profile.hpp"

using namespace tutti;
using namespace tutti::testing;

namespace {

std::vector<Choice> entrants(int count) {
  std::vector<Choice> all(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(i)].text = std::to_string(i);
  return all;
}

/// Runs all ranks' races with their times; how many calls it took.
int settle(std::vector<Race>& ranks, const std::vector<double>& speeds, std::mt19937& noise) {
  std::uniform_real_distribution<double> wobble(0.97, 1.03);
  int calls = 0;
  while (!ranks[0].settled() && calls < 100000) {
    if (ranks[0].due()) {
      std::vector<std::int64_t> slowest(ranks[0].times().size());
      for (const Race& rank : ranks) {
        const auto mine = rank.times();
        REQUIRE(mine.size() == slowest.size());
        for (std::size_t i = 0; i < mine.size(); ++i) slowest[i] = std::max(slowest[i], mine[i]);
      }
      for (Race& rank : ranks) rank.decide(slowest);
      continue;
    }
    const std::string text = ranks[0].next().text;
    for (Race& rank : ranks) {
      REQUIRE(rank.due() == false);
      CHECK(rank.next().text == text);
      rank.took(static_cast<std::int64_t>(1e6 * speeds[static_cast<std::size_t>(std::stoi(text))] * wobble(noise)));
    }
    ++calls;
  }
  return calls;
}

}  // namespace

TEST_CASE("all ranks settle on the fastest, in no more calls than are promised") {
  std::mt19937 noise(1);
  for (int count = 1; count <= 20; ++count) {
    std::vector<double> speeds;
    for (int i = 0; i < count; ++i) speeds.push_back(2.0 + (i * 7) % 5);
    const auto fastest = static_cast<std::size_t>(count / 2);
    speeds[fastest] = 1.0;
    std::vector<Race> ranks(5, Race(entrants(count)));
    CHECK(settle(ranks, speeds, noise) <= Race::most_calls(count));
    for (const Race& rank : ranks) CHECK(rank.next().text == std::to_string(fastest));
  }
}

TEST_CASE("a first call, which makes what a candidate needs, is not held against it") {
  std::vector<Race> one{Race(entrants(2))};
  for (const std::int64_t time : {1000000, 5, 9, 10, 20, 25}) one[0].took(time);
  CHECK(one[0].due());
  one[0].decide(one[0].times());
  CHECK(one[0].next().text == "0");
}

TEST_CASE("a call that was interrupted is not held against its candidate") {
  Race race(entrants(2));
  for (const std::int64_t time : {0, 10, 10, 0, 12, 12}) race.took(time);
  race.decide(race.times());
  for (int call = 0; call < 16; ++call) race.took(call == 2 ? 4000000 : call / 4 % 2 == 0 ? 10 : 12);
  CHECK(race.times() == std::vector<std::int64_t>{10, 12});
}

TEST_CASE("a candidate does not pay for the ranks that the one before lets go late") {
  Race race(entrants(2));
  const auto turn_of = [&](std::int64_t first, std::int64_t others, int calls) {
    for (int call = 0; call < calls; ++call) race.took(call == 0 ? first : others);
  };
  for (const int calls : {3, 4, 4}) {
    for (int turns = calls == 3 ? 1 : 2; turns > 0; --turns) {
      turn_of(900, 10, calls);
      turn_of(10, 15, calls);
    }
    if (race.due()) race.decide(race.times());
  }
  CHECK(race.next().text == "0");
}

TEST_CASE("what is hopeless is out after three calls") {
  std::vector<Race> one{Race(entrants(3))};
  std::mt19937 noise(1);
  CHECK(settle(one, {1.0, 50.0, 70.0}, noise) == 9);
}

TEST_CASE("equal times keep what would serve without tuning") {
  Race race(entrants(2));
  for (int i = 0; i < 6; ++i) race.took(10);
  race.decide(std::vector<std::int64_t>{10, 10});
  CHECK(race.next().text == "0");
}

TEST_CASE("entrants: the usual choice first, native, and what the placement allows, each once") {
  std::vector<Warning> warnings;
  Selector selector({}, two_nodes, warnings);
  const CallSignature signature = ask(Collective::allreduce, 1 << 20);
  const Choice& usual = selector.choose(signature);
  const auto all = entrants_for(signature, usual, two_nodes, {});
  REQUIRE(all.size() > 4);
  CHECK(all[0].text == usual.text);
  Texts texts;
  for (const Choice& choice : all) texts.push_back(choice.text);
  CHECK(std::ranges::count(texts, "native") == 1);
  CHECK(std::ranges::count(texts, "node(ring)") == 1);
  CHECK(std::ranges::count(texts, "node(ring, senders=4)") == 1);
  std::ranges::sort(texts);
  CHECK(std::ranges::adjacent_find(texts) == texts.end());
  const auto ordered = entrants_for(ask(Collective::allreduce, 1 << 20, false), usual, two_nodes, {});
  for (const Choice& choice : ordered)
    if (choice.algorithm) CHECK_FALSE(choice.algorithm->constraints.commutative);
}

TEST_CASE("short calls in a node are not tried over messages, where memory can serve them") {
  const auto flat = [](const Choice& choice) { return choice.kind == Choice::Kind::flat; };
  std::vector<Warning> warnings;
  Settings none;
  Selector selector(none, one_node, warnings);
  const auto entrants_of = [&](std::int64_t bytes, const Choice& usual) {
    return entrants_for(ask(Collective::allreduce, bytes), usual, one_node, none);
  };
  const Choice& usual = selector.choose(ask(Collective::allreduce, 8));
  REQUIRE(usual.kind == Choice::Kind::node);
  CHECK(std::ranges::none_of(entrants_of(8, usual), flat));
  CHECK(std::ranges::any_of(entrants_of(64 << 10, usual), flat));
}

TEST_CASE("size classes part at powers of two") {
  CHECK(size_class(-1) == 0);
  CHECK(size_class(0) == 0);
  CHECK(size_class(1) == 1);
  CHECK(size_class(1024) == size_class(2047));
  CHECK(size_class(1024) == size_class(1023) + 1);
}

TEST_CASE("what was learned is a profile that chooses the same") {
  const std::vector<Learned> learned{
      {one_node, Collective::bcast, size_class(4096), true, "binomial", "node", 1500, 2000},
      {one_node, Collective::barrier, 0, false, "node", "native", 900, 0}};
  const std::string text = profile_of(learned, "a \"test\"");
  std::vector<Warning> warnings;
  CHECK(parse_profile(text, "learned.toml", warnings).size() == 2);
  CHECK(warnings.empty());
  Settings settings;
  settings.profile = "learned.toml", settings.profile_text = text;
  CHECK(choose(settings, one_node, ask(Collective::bcast, 5000)).text == "binomial");
  CHECK(choose(settings, one_node, ask(Collective::bcast, 9000)).text != "binomial");
}

/// What the engine is made of.
#include <doctest/doctest.h>

#include <random>

#include "machines.hpp"
#include "simulation/least_time.hpp"

using namespace tutti;
using namespace tutti::simulation;

TEST_CASE("reservations: the first gap that is long enough") {
  Reservations card;
  CHECK(card.reserve(10, 5) == 10);
  CHECK(card.reserve(10, 5) == 15);  // behind it
  CHECK(card.reserve(40, 5) == 40);
  CHECK(card.reserve(0, 10) == 0);   // asked late, goes first
  CHECK(card.reserve(0, 20) == 20);  // fills the gap between 20 and 40
  CHECK(card.reserve(0, 1) == 45);
  CHECK(card.reserve(7, 0) == 7);  // takes nothing
}

TEST_CASE("reservations never overlap, whatever is forgotten") {
  std::mt19937 random(1);
  Reservations card;
  std::vector<std::pair<Time, Time>> all;
  for (int i = 0; i < 2000; ++i) {
    const Time ready = random() % 5000, length = 1 + random() % 9, begin = card.reserve(ready, length);
    CHECK(begin >= ready);
    all.emplace_back(begin, begin + length);
  }
  std::ranges::sort(all);
  for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i].first >= all[i - 1].second);
}

TEST_CASE("reservations of the past are forgotten, and nothing is put there") {
  Reservations card;
  for (Time i = 0; i < 100; ++i) CHECK(card.reserve(10 * i, 5, 10 * i) == 10 * i);
  CHECK(card.reserve(0, 1, 990) > 900);
}

TEST_CASE("the queue of times: in order, equal ones by turn") {
  std::mt19937 random(2);
  TimeQueue queue;
  Time last = 0;
  std::int32_t turn = -1;
  int left = 0;
  for (int i = 0; i < 5000; ++i) {
    if (left == 0 || random() % 2 == 0) {
      queue.push({queue.now() + static_cast<Time>(random() % 3 * (random() % 1000)), static_cast<std::int32_t>(i), i});
      ++left;
      turn = -1;  // a push at this time may have a lower turn
    } else {
      const TimeQueue::Entry entry = queue.pop();
      --left;
      CHECK(entry.at >= last);
      if (entry.at == last && turn >= 0) CHECK(entry.turn > turn);
      last = entry.at, turn = entry.turn;
      CHECK(queue.now() == last);
    }
  }
}

TEST_CASE("an inbox finds a sender's messages in order, few and many") {
  Pool pool;
  Inbox inbox;
  for (int i = 0; i < 300; ++i) {
    Message message;
    message.from = i % 10, message.step = i;
    inbox.add(pool, pool.add(message));
  }
  CHECK(pool[inbox.find(pool, 3, 0)].step == 3);
  CHECK(pool[inbox.find(pool, 3, 2)].step == 23);
  CHECK(inbox.find(pool, 3, 30) == -1);
  CHECK(inbox.find(pool, 11, 0) == -1);
  inbox.remove(pool, inbox.find(pool, 3, 0));
  CHECK(pool[inbox.find(pool, 3, 0)].step == 13);
  for (int i = 0; i < 299; ++i) inbox.remove(pool, inbox.first());
  CHECK(inbox.first() == -1);
  CHECK(pool.most() == 300);
}

TEST_CASE("routes: through a torus the shorter way round, through trees up and down") {
  std::vector<Hop> hops;
  const Routes torus({Topology::torus, 0, 0, 1, {4, 3}}, 12);
  CHECK(torus.between(0, 1, hops) == 1);
  CHECK(torus.between(0, 3, hops) == 1);  // backwards
  CHECK(torus.between(0, 11, hops) == 2);
  CHECK(torus.between(0, 6, hops) == 3);
  for (const Hop& hop : hops) CHECK(hop.link < torus.links());
  const Routes tree({Topology::fat_tree, 0, 4, 2, {}}, 16);
  CHECK(tree.between(1, 2, hops) == 1);
  CHECK(hops.empty());
  CHECK(tree.between(1, 9, hops) == 3);
  CHECK(hops.size() == 2);
  CHECK(hops[0].speed == 2);
  const Routes groups({Topology::dragonfly, 0, 4, 1, {}}, 16);
  CHECK(groups.between(1, 9, hops) == 2);
  CHECK(hops[0].speed == doctest::Approx(4.0 / 3));
}

TEST_CASE("noise: the processor is away once a period") {
  Machine machine = plain(1);
  machine.noise = {100e-6, 10e-6, 0, 3};
  const Costs costs(machine);
  Stamp clock;
  for (int i = 0; i < 1000; ++i) costs.work(0, Part::work, microsecond, clock);
  // 1000 us of work meet one detour every 90 us of work.
  CHECK(clock.part(Part::work) == 1000 * microsecond);
  CHECK(clock.part(Part::noise) >= 110 * microsecond);
  CHECK(clock.part(Part::noise) <= 120 * microsecond);
  Stamp whole;
  costs.work(0, Part::work, 1000 * microsecond, whole);
  CHECK(whole.at == clock.at);  // in one piece or in many
}

TEST_CASE("machines that cannot be name the field") {
  const auto why = [](auto&& change) {
    Machine machine = plain(4, 2);
    change(machine);
    try {
      check(machine);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  CHECK(why([](Machine&) {}) == "none");
  CHECK(why([](Machine& m) { m.nodes = 0; }).starts_with("nodes:"));
  CHECK(why([](Machine& m) { m.nodes = 1 << 24; }).starts_with("nodes:"));
  CHECK(why([](Machine& m) { m.cards = 3; }).starts_with("cards:"));
  CHECK(why([](Machine& m) { m.between.gap = -1; }).starts_with("between.gap:"));
  CHECK(why([](Machine& m) {
          m.network.topology = Topology::torus, m.network.sides = {3};
        }).starts_with("network.sides:"));
  CHECK(why([](Machine& m) { m.network.topology = Topology::fat_tree; }).starts_with("network.leaf:"));
  CHECK(why([](Machine& m) { m.noise = {1e-6, 2e-6, 0, 1}; }).starts_with("noise.duration:"));
  CHECK(why([](Machine& m) { m.slow_nodes = {4}; }).starts_with("slow_nodes:"));
}

TEST_CASE("no algorithm is faster than the bound") {
  for (const Algorithm& algorithm : catalogue()) {
    for (const std::int64_t bytes : {8, 100'000})
      for (const auto& [nodes, per_node] : {std::pair{8, 1}, std::pair{4, 4}, std::pair{1, 8}}) {
        const Machine machine = plain(nodes, per_node);
        CAPTURE(algorithm.name);
        CAPTURE(name(algorithm.collective));
        CAPTURE(nodes);
        CAPTURE(bytes);
        Parameters parameters;
        for (std::size_t i = 0; i < algorithm.parameters.size(); ++i)
          parameters.values[i] = algorithm.parameters[i].kind == ParameterInfo::Kind::segment
                                     ? 4
                                     : static_cast<int>(algorithm.parameters[i].standard);
        const Call call{.collective = algorithm.collective,
                        .bytes = bytes,
                        .schedule = algorithm.schedule,
                        .parameters = parameters};
        const Time least = least_time(machine, {algorithm.collective, machine.ranks(), 0, {}, {bytes}});
        CHECK(simulate(machine, call, unfolded()).end.at >= least);
      }
  }
}

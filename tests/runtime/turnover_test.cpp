#include "runtime/requests/turnover.hpp"

#include <doctest/doctest.h>

#include <random>
#include <thread>
#include <vector>

#include "zeroed_lines.hpp"

using tutti::runtime::Turnover;
using tutti::runtime::ZeroedLines;

TEST_CASE("no call is served before every rank has joined") {
  ZeroedLines memory(Turnover::bytes(2));
  Turnover a(memory.data(), 0, 2), b(memory.data(), 1, 2);
  a.arrive();
  CHECK(!a.all_arrived());
  b.arrive();
  CHECK(a.all_arrived());
  a.join(5, true);
  CHECK(!a.serves(5));
  CHECK(!a.serves(6));
  b.join(5, true);
  CHECK(!b.serves(5));  // decided by the other
  CHECK(!b.serves(6));
  CHECK(b.serves(7));
  CHECK(a.serves(7));
  CHECK(a.all_able());
}

TEST_CASE("a rank that has joined late keeps calls that it has passed on from being served") {
  ZeroedLines memory(Turnover::bytes(2));
  Turnover ahead(memory.data(), 0, 2), behind(memory.data(), 1, 2);
  behind.join(3, true);
  ahead.join(9, false);  // it passed 3 to 8 on
  for (std::uint32_t call = 3; call < 9; ++call) CHECK(!behind.serves(call));
  CHECK(behind.serves(9));
  CHECK(ahead.serves(9));
  CHECK(!ahead.all_able());
}

TEST_CASE("ranks that join and ask at any time decide alike") {
  constexpr int ranks = 4, calls = 200;
  for (unsigned seed = 0; seed < 200; ++seed) {
    ZeroedLines memory(Turnover::bytes(ranks));
    std::vector<std::uint32_t> first(ranks, 0);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank)
      threads.emplace_back([&, rank] {
        std::mt19937 random(seed * ranks + static_cast<unsigned>(rank));
        Turnover mine(memory.data(), rank, ranks);
        const auto joins = static_cast<std::uint32_t>(random() % 60);
        for (std::uint32_t call = 0; call < calls; ++call) {
          if (call == joins) mine.join(call, true);
          if (random() % 8 == 0) std::this_thread::yield();
          const bool served = mine.joined() && mine.serves(call);
          if (served && first[static_cast<std::size_t>(rank)] == 0) first[static_cast<std::size_t>(rank)] = call;
          if (first[static_cast<std::size_t>(rank)] != 0 && !served) first[static_cast<std::size_t>(rank)] = calls + 1;
        }
      });
    for (std::thread& thread : threads) thread.join();
    for (int rank = 1; rank < ranks; ++rank) CHECK(first[static_cast<std::size_t>(rank)] == first[0]);
    CHECK(first[0] <= calls);
  }
}

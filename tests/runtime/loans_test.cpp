#include "runtime/requests/loans.hpp"

#include <doctest/doctest.h>

#include <random>
#include <thread>
#include <vector>

#include "zeroed_lines.hpp"

using tutti::runtime::Loans;
using tutti::runtime::ZeroedLines;

TEST_CASE("a channel is lent again once every rank has given it back") {
  ZeroedLines memory(Loans::bytes(2));
  Loans a(memory.data(), 0, 2), b(memory.data(), 1, 2);
  for (int i = 0; i < Loans::channels; ++i) CHECK(a.next() == i);
  CHECK(a.next() == -1);
  for (int i = 0; i < Loans::channels; ++i) CHECK(b.next() == i);
  a.given_back(3)++;
  CHECK(a.next() == -1);
  b.given_back(3)++;
  CHECK(b.next() == -1);  // the one that was none
  CHECK(b.next() == -1);  // decided by a, before b had given it back
  CHECK(b.next() == 3);
  CHECK(a.next() == 3);
}

TEST_CASE("ranks that make and free requests at any time have the same channels") {
  constexpr int ranks = 3, requests = 9000;
  ZeroedLines memory(Loans::bytes(ranks));
  std::vector<std::vector<int>> had(ranks);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      std::mt19937 random(static_cast<unsigned>(rank));
      Loans mine(memory.data(), rank, ranks);
      std::vector<int> held;
      for (int i = 0; i < requests; ++i) {
        const int lent = mine.next();
        had[static_cast<std::size_t>(rank)].push_back(lent);
        if (lent >= 0) held.push_back(lent);
        while (!held.empty() && random() % 3 != 0) {
          mine.given_back(held.back())++;
          held.pop_back();
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(had[1] == had[0]);
  CHECK(had[2] == had[0]);
}

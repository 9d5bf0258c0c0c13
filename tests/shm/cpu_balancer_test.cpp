/// CpuBalancer: who runs where, and who moves.
#include "shm/sync/cpu_balancer.hpp"

#include <doctest/doctest.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

namespace {

using namespace tutti::shm;

constexpr int members = 8;

struct Row {
  std::array<LastCpu, members> last_cpus{};
  LastCpuRow row() { return {reinterpret_cast<std::byte*>(last_cpus.data()), sizeof(LastCpu)}; }
};

int here() { return ::sched_getcpu(); }

std::vector<int> allowed() {
  cpu_set_t mask;
  if (::sched_getaffinity(0, sizeof mask, &mask) != 0) return {};
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<unsigned>(cpu), &mask)) cpus.push_back(cpu);
  return cpus;
}

void bind_to(const std::vector<int>& cpus) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const int cpu : cpus) CPU_SET(static_cast<unsigned>(cpu), &mask);
  REQUIRE(::sched_setaffinity(0, sizeof mask, &mask) == 0);
}

/// Checks often enough for every member's turn.
void look_often(CpuBalancer& balancer) {
  for (int i = 0; i < 128 * members; ++i) {
    balancer.note();
    static_cast<void>(balancer.others());
  }
}

using Elsewhere = std::array<int, members>;  ///< 1: on the other CPU

struct Outcome {
  bool moved, same_mask;
};
/// Member 3 checks the published CPUs, with the others placed like that relative to its CPU.
Outcome look_around(const Elsewhere& elsewhere, bool spread, bool bound) {
  Outcome outcome{};
  std::thread([&] {
    const std::vector<int> cpus = allowed();
    const int from = here();
    bind_to({from});
    if (!bound) bind_to(cpus);
    const int other = cpus[cpus[0] == from ? 1 : 0];
    Row row;
    for (std::size_t i = 0; i < members; ++i) row.last_cpus[i] = 1 + (elsewhere[i] != 0 ? other : from);
    const std::vector<int> before = allowed();
    CpuBalancer balancer(row.row(), {.me = 3, .size = members, .cpus = 2, .spread = spread});
    look_often(balancer);
    outcome = {row.last_cpus[3] - 1 != from, allowed() == before};
  }).join();
  return outcome;
}

/// The kernel moves threads too, though hardly within these microseconds.
int moves_of_ten(const Elsewhere& elsewhere, bool spread, bool bound = false) {
  int moves = 0;
  for (int i = 0; i < 10; ++i) {
    const Outcome outcome = look_around(elsewhere, spread, bound);
    CHECK(outcome.same_mask);
    moves += outcome.moved;
  }
  return moves;
}

constexpr Elsewhere even{0, 1, 0, 0, 1, 1, 0, 1}, five_and_three{0, 1, 0, 0, 1, 1, 0, 0}, all_here{};

}  // namespace

TEST_CASE("those who sit beside me come first, the rest after them, each in the order from my own rank on") {
  Row row;
  CpuBalancer balancer(row.row(), {.me = 2, .size = members, .cpus = 2, .spread = false});
  std::thread([&] {
    bind_to({here()});
    for (const std::size_t beside : {1, 4, 7}) row.last_cpus[beside] = here() + 1;
    for (const std::size_t elsewhere : {0, 3, 5}) row.last_cpus[elsewhere] = here() + 2;
    balancer.note();
    const auto [others, beside_me] = balancer.others();
    CHECK(row.last_cpus[2] == here() + 1);
    CHECK(beside_me == 3);
    CHECK(others == std::vector<int>{4, 7, 1, 3, 5, 6, 0});
    CHECK(balancer.beside_me(4));
    CHECK_FALSE(balancer.beside_me(5));
    CHECK_FALSE(balancer.beside_me(6));  // has not said where it is
  }).join();
}

TEST_CASE("nobody is left out who moves while I look") {
  Row row;
  CpuBalancer balancer(row.row(), {.me = 2, .size = members, .cpus = 2, .spread = false});
  balancer.note();
  const int mine = row.last_cpus[2];
  std::atomic<int> moves = 0;
  std::atomic<bool> enough = false;
  std::thread restless([&] {
    for (; !enough; ++moves) row.last_cpus[5].store(mine + moves % 2, std::memory_order_relaxed);
  });
  while (moves == 0) std::this_thread::yield();
  int missing = 0;
  for (int call = 0; call < 1'000'000 || moves < 3'000'000; ++call) {
    const std::vector<int>& others = balancer.others().members;
    missing += others.size() != members - 1 || std::find(others.begin(), others.end(), 5) == others.end();
  }
  enough = true;
  restless.join();
  CHECK(missing == 0);
}

TEST_CASE("with a CPU for each nobody says where it is") {
  Row row;
  CpuBalancer balancer(row.row(), {.me = 0, .size = 2, .cpus = 2, .spread = true});
  balancer.note();
  CHECK(row.last_cpus[0] == 0);
  CHECK_FALSE(balancer.beside_me(0));
  CHECK_FALSE(balancer.oversubscribed());
}

TEST_CASE("a member on too full a CPU moves to the other, and may run where it might before" *
          doctest::skip(allowed().size() < 2)) {
  CHECK(moves_of_ten(five_and_three, true) > 5);
  CHECK(moves_of_ten(all_here, true) > 5);
}

TEST_CASE("it stays where all have as many, where it is bound, and where that is not asked for" *
          doctest::skip(allowed().size() < 2)) {
  CHECK(moves_of_ten(even, true) < 5);
  CHECK(moves_of_ten(all_here, true, true) == 0);
  CHECK(moves_of_ten(all_here, false) < 5);
}

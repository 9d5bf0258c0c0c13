/// Waiting: it ends soon after the word changes, sleeps when long, and calls Progress.
#include "shm/sync/waiting.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <thread>

#include "crew.hpp"

namespace tutti::shm::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Another thread sets the word after `delay`; how long the wait took.
Clock::duration wait_for(std::chrono::milliseconds delay, Waiter& waiter, bool ring) {
  std::atomic<std::uint64_t> word = 0;
  Bell bell{};
  const auto start = Clock::now();
  std::thread other([&] {
    std::this_thread::sleep_for(delay);
    word.store(1, std::memory_order_release);
    if (ring) notify(bell);
  });
  waiter.until(word, 1, bell);
  const auto took = Clock::now() - start;
  other.join();
  CHECK(bell.sleepers == 0);
  return took;
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

TEST_CASE("a wait ends when the word changes, even if nobody rings") {
  for (const bool oversubscribed : {false, true}) {
    Waiter waiter(oversubscribed, {});
    for (const bool ring : {true, false}) {
      const auto took = wait_for(20ms, waiter, ring);
      CHECK(took >= 20ms);
      CHECK(took < 1s);
    }
  }
}

TEST_CASE("a long wait sleeps") {
  Waiter waiter(true, {});
  const double before = cpu_seconds();
  wait_for(400ms, waiter, true);
  CHECK(cpu_seconds() - before < 0.1);  // the first millisecond, then one short wake-up each
}

TEST_CASE("MPI gets its turn in long waits, and not in short ones") {
  int calls = 0;
  Waiter waiter(false, {[](void* context) { return ++*static_cast<int*>(context), false; }, &calls});
  std::atomic<std::uint64_t> word = 1;
  Bell bell{};
  waiter.until(word, 1, bell);
  CHECK(calls == 0);
  wait_for(50ms, waiter, true);
  CHECK(calls > 20);
}

/// Stands for calls of the MPI's that need many progress calls, from the first or from a later one on.
struct Busy {
  std::atomic<std::uint64_t> word = 0;
  Bell bell{};
  int calls = 0, urgent_from = 0, end = 0, asleep = 0;
  static bool call(void* context) {
    auto& self = *static_cast<Busy*>(context);
    const int calls = ++self.calls;
    if (calls > self.urgent_from + 1 && self.bell.sleepers != 0) ++self.asleep;
    if (calls == self.end) self.word.store(1, std::memory_order_release);
    return calls > self.urgent_from && calls < self.end;
  }
};

TEST_CASE("a wait does not sleep while the MPI has calls under way, from its start or since it sleeps") {
  for (const bool oversubscribed : {false, true})
    for (const int before : {0, 100}) {
      Busy busy;
      busy.urgent_from = before, busy.end = before + 1000;
      Waiter waiter(oversubscribed, {Busy::call, &busy});
      waiter.until(busy.word, 1, busy.bell);
      CHECK(busy.calls == busy.end);
      CHECK(busy.asleep < 100);  // a call that was interrupted is repeated at once
      CHECK(busy.bell.sleepers == 0);
    }
}

TEST_CASE("a wait sleeps again once the MPI has nothing under way") {
  Busy busy;
  busy.end = 1000;
  Waiter waiter(true, {Busy::call, &busy});
  waiter.until(busy.word, 1, busy.bell);
  const double before = cpu_seconds();
  wait_for(400ms, waiter, true);
  CHECK(cpu_seconds() - before < 0.1);
}

TEST_CASE("a progress that is due comes at once, or, where others may need the CPU, before the next wait") {
  struct World {
    std::atomic<std::uint64_t> word = 0;
    int calls = 0;
  } world;
  const Progress progress{
      [](void* context) { return ++static_cast<World*>(context)->calls, ++static_cast<World*>(context)->word, false; },
      &world};
  Bell bell{};
  Waiter alone(false, progress), oversubscribed(true, progress);
  alone.progress_soon();
  CHECK(world.calls == 1);
  oversubscribed.progress_soon();
  CHECK(world.calls == 1);
  oversubscribed.until(world.word, 1, bell);  // there already: no wait
  CHECK(world.calls == 1);
  oversubscribed.until(world.word, 2, bell);
  CHECK(world.calls == 2);
}

TEST_CASE("a member that waits for the program's own message makes progress until it has arrived") {
  ShmGroupOptions options;
  options.size = 2, options.cpus = 2;
  std::atomic<int> moved = 0;
  options.progress = {[](void* context) { return ++*static_cast<std::atomic<int>*>(context), false; }, &moved};
  crew(options, [&](ShmGroup& group) {
    if (group.me() == 1)
      while (moved < 10) std::this_thread::yield();  // stands for a receive that needs the other's progress
    group.barrier();
  });
  CHECK(moved >= 10);
}

}  // namespace
}  // namespace tutti::shm::test

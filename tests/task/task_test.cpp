#include "task/task.hpp"

#include <doctest/doctest.h>

#include <cfenv>
#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tutti {
namespace {

/// Counts to `last`, with a suspension after each number.
struct Counting {
  explicit Counting(Switching how = best_switching()) : task(how) {}
  Task task;
  int last = 0, at = 0;
  static void body(void* self) noexcept {
    auto& counting = *static_cast<Counting*>(self);
    const Suspend suspend = counting.task.suspension();
    while (counting.at < counting.last) {
      ++counting.at;
      suspend();
    }
  }
};

TEST_CASE("a task stops at each suspension and goes on from there") {
  Counting counting;
  counting.last = 3;
  CHECK_FALSE(counting.task.running());
  CHECK_FALSE(counting.task.start(Counting::body, &counting));
  CHECK(counting.at == 1);
  CHECK(counting.task.running());
  CHECK_FALSE(counting.task.resume());
  CHECK_FALSE(counting.task.resume());
  CHECK(counting.at == 3);
  CHECK(counting.task.resume());
  CHECK_FALSE(counting.task.running());
}

TEST_CASE("a body that never waits has ended when start returns, and the task serves again") {
  Counting counting;
  for (int round = 0; round < 1000; ++round) CHECK(counting.task.start(Counting::body, &counting));
  counting.last = 2;
  CHECK_FALSE(counting.task.start(Counting::body, &counting));
  while (!counting.task.resume()) {
  }
  CHECK(counting.at == 2);
}

TEST_CASE("many tasks, resumed in any order, keep their stacks apart") {
  std::vector<std::unique_ptr<Counting>> all;
  for (int number = 0; number < 100; ++number) {
    all.push_back(std::make_unique<Counting>(number % 3 == 0 ? Switching::ucontext : best_switching()));
    all.back()->last = 1 + number * 7 % 13;
    all.back()->task.start(Counting::body, all.back().get());
  }
  std::uint32_t draw = 1;
  for (std::size_t left = all.size(); left > 0;) {
    draw = draw * 1664525u + 1013904223u;
    Counting& one = *all[draw / 65536 % all.size()];
    if (one.task.running() && one.task.resume()) --left;
  }
  for (const auto& one : all) CHECK(one->at == one->last);
}

struct Thrown {
  Task task;
  std::string caught;
  double sum = 0;
  static void body(void* self) noexcept {
    auto& thrown = *static_cast<Thrown*>(self);
    std::vector<double> numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 0.0);
    try {
      thrown.task.suspend();
      throw std::runtime_error("from inside");
    } catch (const std::runtime_error& error) {
      thrown.task.suspend();
      thrown.caught = error.what();
    }
    thrown.sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
  }
};

TEST_CASE("what is thrown in a task is caught in it, also across a suspension") {
  Thrown thrown;
  thrown.task.start(Thrown::body, &thrown);
  thrown.task.resume();
  try {
    throw std::logic_error("outside, meanwhile");
  } catch (const std::logic_error&) {
    CHECK(thrown.caught.empty());
  }
  CHECK(thrown.task.resume());
  CHECK(thrown.caught == "from inside");
  CHECK(thrown.sum == 499500);
}

TEST_CASE("a task that began on one thread goes on on another") {
  Counting counting;
  counting.last = 2;
  counting.task.start(Counting::body, &counting);
  std::thread([&] {
    while (!counting.task.resume()) {
    }
  }).join();
  CHECK(counting.at == 2);
}

struct Rounding {
  Task task;
  int inside = 0;
  static void body(void* self) noexcept {
    auto& rounding = *static_cast<Rounding*>(self);
    std::fesetround(FE_UPWARD);
    rounding.task.suspend();
    rounding.inside = std::fegetround();
    std::fesetround(FE_TONEAREST);
  }
};

TEST_CASE("the rounding mode of a task is its own") {
  Rounding rounding;
  rounding.task.start(Rounding::body, &rounding);
  CHECK(std::fegetround() == FE_TONEAREST);
  CHECK(rounding.task.resume());
  CHECK(rounding.inside == FE_UPWARD);
}

}  // namespace
}  // namespace tutti

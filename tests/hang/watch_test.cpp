/// Which call has not ended for how long, and signals by their names.
#include "hang/watch.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <memory>

#include "hang/signals.hpp"

using namespace tutti::hang;

namespace {

/// The newest call of a ring.
void call(Ring& ring, Progress progress) {
  Record& record = ring.records[ring.next % most_records];
  record.stamp = ++ring.next;
  record.progress = static_cast<std::uint8_t>(progress);
}

}  // namespace

TEST_CASE("a call that does not end waits from the first look on") {
  const auto block = std::make_unique<Block>();
  Lookout lookout;
  CHECK(lookout.look(*block, 10).record == nullptr);
  call(block->rings[0], Progress::inside);
  CHECK(lookout.look(*block, 11).record == nullptr);
  const auto waiting = lookout.look(*block, 14);
  REQUIRE(waiting.record == &block->rings[0].records[0]);
  CHECK(waiting.seconds == doctest::Approx(3));
}

TEST_CASE("calls that end, however many, wait for nobody") {
  const auto block = std::make_unique<Block>();
  Lookout lookout;
  for (int i = 0; i < 100; ++i) {
    call(block->rings[0], Progress::inside);
    CHECK(lookout.look(*block, i).record == nullptr);
  }
  block->rings[0].records[99 % most_records].progress = static_cast<std::uint8_t>(Progress::left);
  CHECK(lookout.look(*block, 200).record == nullptr);
  CHECK(lookout.look(*block, 300).record == nullptr);
}

TEST_CASE("of several threads the one that waits longest counts") {
  const auto block = std::make_unique<Block>();
  Lookout lookout;
  call(block->rings[1], Progress::inside);
  lookout.look(*block, 0);
  call(block->rings[0], Progress::inside);
  lookout.look(*block, 5);
  const auto waiting = lookout.look(*block, 9);
  CHECK(waiting.ring == &block->rings[1]);
  CHECK(waiting.seconds == doctest::Approx(9));
}

TEST_CASE("signals by name or number; none that no program may catch") {
  CHECK(signal_named("USR1") == SIGUSR1);
  CHECK(signal_named("SIGUSR2") == SIGUSR2);
  CHECK(signal_named("12") == 12);
  for (const char* const wrong : {"", "KILL", "SIGSTOP", "9", "19", "0", "-1", "1000", "USR", "USR1 ", "usr1"})
    CHECK_MESSAGE(!signal_named(wrong), wrong);
}

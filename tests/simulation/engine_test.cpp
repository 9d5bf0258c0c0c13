/// Runs that repeat themselves, and schedules that do not fit together.
#include <doctest/doctest.h>

#include "machines.hpp"

using namespace tutti;
using namespace tutti::simulation;

namespace {

Call call_of_schedule(Schedule (*schedule)(Context), std::int64_t bytes = 100) {
  return {.collective = Collective::bcast, .bytes = bytes, .schedule = schedule, .parameters = {}};
}

std::string failure(const Call& call, int nodes = 3, Options options = unfolded()) {
  try {
    simulate(plain(nodes), call, options);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "none";
}

Schedule sends_too_much(Context context) {
  if (context.me == 0) {
    co_yield send(1, output(0));
    co_yield send(1, output(0));
  }
  if (context.me == 1) co_yield receive(0, output(0));
}

Schedule waits_for_nothing(Context context) {
  if (context.me == 2) co_yield receive(1, output(0));
}

Schedule waits_in_a_circle(Context context) {
  const Rank next = (context.me + 1) % context.size, before = (context.me + context.size - 1) % context.size;
  co_yield receive(before, output(0));
  co_yield send(next, output(0));
}

Schedule sends_half(Context context) {
  if (context.me == 0) co_yield send(1, part(output(0), 0, 2));
  if (context.me == 1) co_yield receive(0, output(0));
}

Schedule sends_away(Context context) {
  if (context.me == 0) co_yield send(context.size, output(0));
}

/// Each rank receives before it sends, of other memory: the least window reaches to the end of the round.
Schedule receives_first(Context context) {
  const Rank peer = context.me ^ 1;
  co_yield scratch_area(0, 0, 1);
  co_yield receive(peer, scratch(0, 0));
  co_yield copy(scratch(0, 0), output(0));
  co_yield send(peer, input(0));
  co_yield round_mark();
}

void check_equal(const Result& a, const Result& b) {
  CHECK(a.end.at == b.end.at);
  CHECK(a.last == b.last);
  for (int i = 0; i < part_count; ++i) CHECK(a.end.parts[i] == b.end.parts[i]);
}

Machine noisy(std::uint64_t seed) {
  Machine machine = plain(16, 4);
  machine.noise = {50e-6, 5e-6, 0.2, seed};
  return machine;
}

}  // namespace

TEST_CASE("what does not fit names rank and step") {
  CHECK(failure(call_of_schedule(sends_too_much)) == "rank 0, step 1: sends a message that rank 1 never receives");
  CHECK(failure(call_of_schedule(waits_for_nothing)) ==
        "rank 2, step 0: waits for a message from rank 1 in vain, and nothing moves any more (ranks that wait: 1)");
  CHECK(failure(call_of_schedule(waits_in_a_circle)) ==
        "rank 0, step 0: waits for a message from rank 2 in vain, and nothing moves any more (ranks that wait: 3)");
  CHECK(failure(call_of_schedule(sends_half)) ==
        "rank 1, step 0: makes room for 100 bytes, but rank 0 sends 50 at its step 0");
  CHECK(failure(call_of_schedule(sends_away)) == "rank 0, step 0: sends to rank 3, which is no other rank");
}

TEST_CASE("limits end in an error") {
  Options traced = unfolded();
  Machine slow = plain(2);
  slow.between.latency = 900;
  CHECK_NOTHROW(simulate(slow, call_of(Collective::bcast, "binomial", 8), traced));
  slow.between.per_byte = 900;
  CHECK_THROWS_WITH_AS(simulate(slow, call_of(Collective::allreduce, "recursive_doubling", 1 << 20), unfolded()),
                       doctest::Contains("26 days"), SimulationError);
  CHECK(failure(call_of(Collective::bcast, "binomial", std::int64_t{1} << 60)).find("1 PiB") != std::string::npos);
  Call call = call_of(Collective::bcast, "binomial", 8);
  call.root = 3;
  CHECK(failure(call) == "root 3: ranks go from 0 to 2");
  call.root = 0, call.senders = 2;
  CHECK(failure(call) == "senders=2: a node has 1 rank");
}

TEST_CASE("a rank looks ahead to the end of a round") {
  CHECK(simulate(plain(2), call_of_schedule(receives_first, 1000), unfolded()).end.at == 14 * microsecond);
}

TEST_CASE("the same seed, the same result; any number of threads; other seeds, others") {
  const Call call = call_of(Collective::allreduce, "rabenseifner", 10000);
  const Result first = simulate(noisy(7), call, unfolded());
  check_equal(first, simulate(noisy(7), call, unfolded()));
  CHECK(simulate(noisy(8), call, unfolded()).end.at != first.end.at);
  Machine calm = noisy(7);
  calm.noise = {};
  CHECK(simulate(calm, call, unfolded()).end.at < first.end.at);
  Options threads = unfolded();
  threads.threads = 2;
  const Call large = call_of(Collective::allreduce, "recursive_doubling", 8);
  check_equal(simulate(plain(4096), large, unfolded()), simulate(plain(4096), large, threads));
}

TEST_CASE("a timeline has every message once, and spans that do not overlap") {
  Options traced = unfolded();
  traced.trace = true;
  const Result found = simulate(plain(4, 2), call_of(Collective::allreduce, "ring", 8000), traced);
  std::int64_t flights = 0;
  std::vector<Time> ends(8, 0);
  for (const Event& event : found.events) {
    CHECK(event.begin <= event.end);
    if (event.kind == Event::Kind::flight) {
      ++flights;
      continue;
    }
    CHECK(event.begin >= ends[static_cast<std::size_t>(event.rank)]);
    ends[static_cast<std::size_t>(event.rank)] = event.end;
  }
  CHECK(flights == found.counts.messages);
}

namespace {

/// A rendezvous that takes long, and then a short message to another rank.
Schedule long_then_short(Context context) {
  if (context.me == 0) {
    co_yield send(1, output(0));
    co_yield send(2, part(output(0), 0, 2));
  }
  if (context.me == 1) co_yield receive(0, output(0));
  if (context.me == 2) co_yield receive(0, part(output(0), 0, 2));
}

}  // namespace

TEST_CASE("a short message leaves while a long one waits for its answer") {
  Machine machine = plain(3);
  machine.between.rendezvous = 1000;
  // The long one's data leaves at 22; the short one leaves at 2, and has come at 12.5.
  const Result found = simulate(machine, call_of_schedule(long_then_short, 1000), unfolded());
  CHECK(found.end.at == 34 * microsecond);
  CHECK(found.first_exit == 13'500'000);
}

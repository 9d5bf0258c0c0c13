/// Small programs whose times are worked out by hand from the rules of LogGOPS (simulation/machine.hpp).
#include <doctest/doctest.h>

#include "machines.hpp"

using namespace tutti;
using namespace tutti::simulation;

namespace {

double micros(const Machine& machine, const Call& call, Options options = unfolded()) {
  return static_cast<double>(simulate(machine, call, options).end.at) / microsecond;
}

}  // namespace

TEST_CASE("one message: o + s G + L + o") {
  const Result one = simulate(plain(2), call_of(Collective::bcast, "binomial", 1000), unfolded());
  CHECK(one.end.at == 13 * microsecond);
  CHECK(one.end.part(Part::overhead) == 2 * microsecond);
  CHECK(one.end.part(Part::latency) == 10 * microsecond);
  CHECK(one.end.part(Part::transfer) == 1 * microsecond);
  CHECK(one.end.part(Part::waiting) == 0);
  CHECK(one.first_exit == 1 * microsecond);
  CHECK(one.last == 1);
}

TEST_CASE("inside a node the node's parameters hold") {
  CHECK(micros(plain(1, 2), call_of(Collective::bcast, "binomial", 1000)) == doctest::Approx(2.5));
}

TEST_CASE("O: both processors pay for each byte") {
  Machine machine = plain(2);
  machine.between.overhead_per_byte = 0.5e-9;
  CHECK(micros(machine, call_of(Collective::bcast, "binomial", 1000)) == doctest::Approx(14));
}

TEST_CASE("exchange and combine, twice: each round 1 + 1 + 10 + 1, and 2 for the reduction") {
  CHECK(micros(plain(4), call_of(Collective::allreduce, "recursive_doubling", 1000)) == doctest::Approx(30));
}

TEST_CASE("a card sends for s G and rests for g: the third message leaves at 7") {
  CHECK(micros(plain(4), call_of(Collective::scatter, "linear", 1000)) == doctest::Approx(19));
}

TEST_CASE("messages from everywhere come one after the other: the third one's first byte is taken at 17") {
  CHECK(micros(plain(4), call_of(Collective::gather, "linear", 1000)) == doctest::Approx(19));
}

TEST_CASE("ranks of a node share its card: two messages leave at 1 and at 4") {
  // Ranks 0 and 1 send to 2 and 3.  The exchange in the node takes 2.5, the reduction 2; then o, and the later one of
  // both waits 3 for its card, on either side at the same time.
  CHECK(micros(plain(2, 2), call_of(Collective::allreduce, "recursive_doubling", 1000)) ==
        doctest::Approx(2.5 + 2 + 13 + 3 + 2));
  const Result found = simulate(plain(2, 2), call_of(Collective::allreduce, "recursive_doubling", 1000), unfolded());
  CHECK(found.counts.messages == 8);
  CHECK(found.counts.messages_between == 4);
  CHECK(found.counts.bytes_between == 4000);
  Machine two_cards = plain(2, 2);
  two_cards.cards = 2;
  CHECK(micros(two_cards, call_of(Collective::allreduce, "recursive_doubling", 1000)) ==
        doctest::Approx(2.5 + 2 + 13 + 2));
}

TEST_CASE("rendezvous: request, answer, data") {
  Machine machine = plain(2);
  machine.between.rendezvous = 1000;
  // o, the request 10, the answer o + 10, then data: 1 + 10 + o.
  CHECK(micros(machine, call_of(Collective::bcast, "binomial", 1000)) == doctest::Approx(34));
  CHECK(micros(machine, call_of(Collective::bcast, "binomial", 999)) == doctest::Approx(12.999));
  // The sender is free when its data has left.
  CHECK(simulate(machine, call_of(Collective::bcast, "binomial", 1000), unfolded()).first_exit == 23 * microsecond);
}

TEST_CASE("rendezvous: a receive that is posted late") {
  Machine machine = plain(2);
  machine.between.rendezvous = 1000;
  Options late = unfolded();
  late.arrival = ArrivalPattern::last_late, late.skew = 50e-6;
  const Result found = simulate(machine, call_of(Collective::bcast, "binomial", 1000), late);
  CHECK(found.end.at == 73 * microsecond);  // 50, the answer 11, data 12
  Time parts = 0;
  for (const Time part : found.end.parts) parts += part;
  CHECK(found.end.at - parts == 50 * microsecond);
  CHECK(found.last_entry == 50 * microsecond);
}

TEST_CASE("a late rank takes what has come before it") {
  Options late = unfolded();
  late.arrival = ArrivalPattern::last_late, late.skew = 20e-6;
  CHECK(micros(plain(2), call_of(Collective::bcast, "binomial", 1000), late) == doctest::Approx(21));
}

TEST_CASE("a slow node's processor and card") {
  Machine machine = plain(2);
  machine.slow_nodes = {0}, machine.slowdown = 3;
  CHECK(micros(machine, call_of(Collective::bcast, "binomial", 1000)) == doctest::Approx(3 + 3 + 10 + 1));
}

TEST_CASE("a tapered tree: two messages share a link upward") {
  Machine machine = plain(4);
  machine.network = {Topology::fat_tree, 0.5e-6, 2, 2, {}};
  // Second round: both nodes of a leaf send through one link; the later one waits 1.  Three switches: 2 hops more.
  CHECK(micros(machine, call_of(Collective::allreduce, "recursive_doubling", 1000)) ==
        doctest::Approx(15 + 15 + 1 + 1));
  machine.network.taper = 1;  // two links, taken for one that is twice as fast
  CHECK(micros(machine, call_of(Collective::allreduce, "recursive_doubling", 1000)) ==
        doctest::Approx(15 + 15 + 1 + 0.5));
}

TEST_CASE("phases in nodes around a schedule between them") {
  Machine machine = plain(2, 4);
  Call call = call_of(Collective::allreduce, "recursive_doubling", 1000);
  call.senders = 1;
  call.parameters_of_slice = [](std::int64_t) { return Parameters{}; };
  // To meet: 1 + 3 x 0.5.  All four combine a quarter each (3 x 250 x 2 ns) between two meetings, and one copies the
  // result (1 us); or the leader combines all: 3 x 2 us.  Then 15 between nodes; then all meet and copy.
  CHECK(micros(machine, call) == doctest::Approx(2 * 2.5 + 1.5 + 1 + 15 + 2.5 + 1));
  call.overlap = 500;
  CHECK(micros(machine, call) ==
        doctest::Approx(2 * (std::min(2 * 2.5 + 0.75 + 0.5, 2.5 + 3) + (12.5 + 1) + 2.5 + 0.5)));
}

TEST_CASE("nothing to send, and nobody to send to") {
  CHECK(micros(plain(4), call_of(Collective::allreduce, "recursive_doubling", 0)) == 0);
  CHECK(micros(plain(1), call_of(Collective::allreduce, "recursive_doubling", 8)) == 0);
  CHECK(micros(plain(2), call_of(Collective::barrier, "dissemination", 0)) == doctest::Approx(12));
}

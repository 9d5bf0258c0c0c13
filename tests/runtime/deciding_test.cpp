/// What the deciding part does without a running MPI: placement, settings by hash, pools.
#include <doctest/doctest.h>

#include <array>
#include <set>

#include "runtime/communicator/agreed_settings.hpp"
#include "runtime/communicator/engine.hpp"
#include "runtime/communicator/selector_pool.hpp"
#include "runtime/platform/location.hpp"
#include "runtime/report/explanation.hpp"

using namespace tutti;
using namespace tutti::runtime;

TEST_CASE("placement counts nodes and their ranks, in whatever order they come") {
  const std::array<std::uint64_t, 7> mixed = {5, 9, 5, 2, 9, 5, 5};
  CHECK(placement_of(mixed) == Placement{7, 3, 4, 1, false});
  const std::array<std::uint64_t, 4> one = {8, 8, 8, 8};
  CHECK(placement_of(one) == Placement{4, 1, 4, 4});
  const std::array<std::uint64_t, 3> apart = {3, 1, 2};
  CHECK(placement_of(apart) == Placement{3, 3, 1, 1});
  const std::array<std::uint64_t, 6> in_runs = {9, 9, 9, 2, 5, 5}, in_turn = {5, 9, 5, 9, 5, 9};
  CHECK(placement_of(in_runs) == Placement{6, 3, 3, 1});
  CHECK(placement_of(in_turn) == Placement{6, 2, 3, 3, false});
}

TEST_CASE("a node is itself, and its CPUs are counted") {
  CHECK(node_identity() == node_identity());
  CHECK(static_cast<std::int64_t>(node_identity()) > 0);
  CpuMask none{};
  CHECK(cpus_in(none) == 1);
  CHECK(cpus_in(cpus_here()) >= 1);
  CHECK(cpus_of_node() >= 1);
}

TEST_CASE("fingerprints fit an agreement on maxima of a value and its negative") {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t hash = fingerprint("text " + std::to_string(i));
    CHECK(hash != 0);
    CHECK(hash < (std::uint64_t{1} << 62));
    seen.insert(hash);
  }
  CHECK(seen.size() == 1000);
}

TEST_CASE("equal settings are one object, the first is agreed, unreadable ones are refused") {
  Settings first, second;
  second.window = 7;
  const AgreedSettings& one = intern(to_text(first));
  const AgreedSettings& two = intern(to_text(second));
  CHECK(&one == &intern(to_text(first)));
  CHECK(&one != &two);
  CHECK(one.hash != two.hash);
  CHECK(two.settings == second);
  CHECK(agreed() == &one);
  CHECK_THROWS(intern("unreadable"));
}

TEST_CASE("a selector goes back to the pool and comes again for the same shape alone") {
  const AgreedSettings& settings = intern(to_text(Settings{}));
  const Placement shape{4, 2, 2, 2}, other{4, 1, 4, 4};
  const Selector* before = nullptr;
  {
    const SelectorLoan loan(settings, shape), another(settings, shape);
    before = &*loan;
    CHECK(before != &*another);
    const Choice& choice = loan->choose({.collective = Collective::alltoallw});
    CHECK(choice.kind == Choice::Kind::native);
    CHECK_FALSE(loan->ever_serves(Collective::alltoallw));
  }
  const SelectorLoan one(settings, shape), two(settings, shape), three(settings, other);
  CHECK((&*one == before || &*two == before));
  CHECK(&*three != before);
}

namespace {

std::unique_ptr<Engine> engine(int rank, int size, std::uint64_t identity) {
  auto made = std::make_unique<Engine>(rank, size);
  made->identity = identity;
  return made;
}

}  // namespace

TEST_CASE("ranks with equal sets of idle engines take the same one, in whatever order these became idle") {
  drop_idle_engines();
  for (const std::uint64_t identity : {30, 10, 20}) put_idle(engine(1, 3, identity));
  put_idle(engine(0, 3, 5));
  put_idle(engine(1, 2, 6));
  for (const std::uint64_t identity : {10, 20, 30}) {
    const auto taken = idle_engine(1, 3);
    REQUIRE(taken);
    CHECK(taken->identity == identity);
  }
  CHECK_FALSE(idle_engine(1, 3));
  CHECK(idle_engine(1, 2)->identity == 6);
}

TEST_CASE("an engine on which a call failed is not created on; few are kept") {
  drop_idle_engines();
  auto failed = engine(0, 2, 1);
  failed->sound = false;
  put_idle(std::move(failed));
  CHECK_FALSE(idle_engine(0, 2));
  for (std::uint64_t identity = 1; identity <= 100; ++identity) put_idle(engine(0, 2, identity));
  int kept = 0;
  while (idle_engine(0, 2)) ++kept;
  CHECK(kept < 100);
  CHECK(kept >= 1);
}

TEST_CASE("sizes as people write them") {
  CHECK(runtime::size_text(8) == "8 B");
  CHECK(runtime::size_text(4096) == "4 KiB");
  CHECK(runtime::size_text(3 << 19) == "1.5 MiB");
}

/// Store policy of shared memory: the same bytes by either policy, and the cheaper one.
#include "shm/copy/store_policy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tutti::shm::test {
namespace {

/// What a line costs either way.
struct Machine {
  double through, past;
  double operator()(Way way) const { return way == Way::non_temporal ? past : through; }
};

constexpr Machine shared_cache{20, 6}, no_shared_cache{80, 8}, memory_busy{80, 40};

/// How many of the last half of the writes were non-temporal.
int writes_past(Preference& preference, const Machine& machine, int writes) {
  int past = 0;
  for (int write = 0; write < writes; ++write) {
    const auto [way, timed] = preference.next();
    if (timed) preference.took(way, machine(way));
    past += write >= writes / 2 && way == Way::non_temporal;
  }
  return past;
}

}  // namespace

TEST_SUITE("node.stores") {
  TEST_CASE("stores are non-temporal where another core's lines are dear, and nowhere else") {
    constexpr int writes = 10 * static_cast<int>(Preference::period), looks = 5 * static_cast<int>(Preference::run);
    Preference apart, together, busy;
    CHECK(writes_past(apart, no_shared_cache, writes) == writes / 2 - looks);
    CHECK(writes_past(together, shared_cache, writes) == looks);
    CHECK(writes_past(busy, memory_busy, writes) == looks);  // the reader would wait for memory as long again
  }

  TEST_CASE("where processes move, the way follows them within a few thousand writes") {
    constexpr int writes = 20 * static_cast<int>(Preference::period);
    Preference preference;
    for (const Machine& machine : {shared_cache, no_shared_cache, shared_cache, no_shared_cache}) {
      writes_past(preference, machine, writes);
      CHECK(preference.way() == (machine.through > 50 ? Way::non_temporal : Way::cached));
    }
  }

  TEST_CASE("a write during which another process ran changes nothing") {
    Preference preference;
    writes_past(preference, shared_cache, 4000);
    preference.took(Way::cached, 1e6);
    CHECK(preference.way() == Way::cached);
    writes_past(preference, no_shared_cache, 20000);
    preference.took(Way::non_temporal, 1e6);
    CHECK(preference.way() == Way::non_temporal);
  }

  TEST_CASE("what readers say counts as much as what the writer finds") {
    constexpr int writes = 10 * static_cast<int>(Preference::period);
    constexpr Machine mesh{6, 11};  // the writer alone would go through
    for (const bool dear : {false, true}) {
      Preference preference;
      ReadCosts costs{};
      costs.took(Way::cached, 19), costs.took(Way::non_temporal, dear ? 19 : 12);
      preference.heard(costs);
      CHECK((writes_past(preference, mesh, writes) > writes / 4) == !dear);
    }
  }

  TEST_CASE("brief payloads are handed over where that is what readers find cheaper") {
    std::vector<std::byte> from(1024, std::byte{7}), to(1024);
    for (const bool cheaper : {false, true}) {
      BriefStorePolicy stores;
      ReadCosts costs{};
      costs.took(Way::cached, 1e6), costs.took(Way::non_temporal, cheaper ? 1 : 2e6);
      int handed_over = 0, looks = 0;
      for (unsigned write = 0; write < 4 * Preference::period; ++write) {
        const auto [way, timed] = stores.next();
        handed_over += way == Way::non_temporal;
        if (!timed) continue;
        ++looks;
        CHECK(stores.copy_timed(way, to.data(), from.data(), to.size()) == note_of(way));
        stores.heard(costs);
      }
      CHECK(looks > 0);
      CHECK((handed_over > static_cast<int>(2 * Preference::period)) == cheaper);
      demote(to.data(), to.data() + to.size());
      CHECK(to == from);
    }
  }

  TEST_CASE("the same bytes arrive at any place and of any length, and nothing beside them") {
    std::vector<std::byte> from(8192);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7 % 251);
    StorePolicy stores;
    for (int write = 0; write < 3000; ++write) {
      const auto at = static_cast<std::size_t>(write) % 128,
                 bytes = StorePolicy::least + static_cast<std::size_t>(write);
      std::vector<std::byte> to(at + bytes + 64, std::byte{0xee});
      stores.copy(to.data() + at, from.data() + write % 63, bytes);
      CHECK(std::equal(to.begin() + static_cast<std::ptrdiff_t>(at), to.end() - 64, from.data() + write % 63));
      CHECK(std::count(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(at), std::byte{0xee}) ==
            static_cast<std::ptrdiff_t>(at));
      CHECK(std::count(to.end() - 64, to.end(), std::byte{0xee}) == 64);
    }
  }
}

}  // namespace tutti::shm::test

/// Store policy of results: the same bytes by either policy, the cheaper one, and cached stores to cached buffers.
#include "shm/copy/landing_policy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tutti::shm::test {
namespace {

constexpr std::size_t piece = std::size_t{64} << 10;

/// What a line costs either way.
struct Machine {
  double through, past;
  double operator()(Way way) const { return way == Way::non_temporal ? past : through; }
};

constexpr Machine past_is_cheaper{20, 12}, hardly_cheaper{20, 19}, past_is_dearer{12, 20};

/// Stores so many bytes; returns how many of them were stored non-temporally.
std::size_t land(LandingPolicy& landing, const Machine& machine, std::size_t bytes) {
  std::size_t past = 0;
  for (std::size_t landed = 0; landed < bytes; landed += piece) {
    const auto [way, timed] = landing.next(piece);
    if (timed) landing.took(way, machine(way));
    if (way == Way::non_temporal) past += piece;
  }
  return past;
}

const std::byte* at(std::size_t number) { return reinterpret_cast<const std::byte*>((number + 1) << 30); }

std::vector<std::byte> pattern(std::size_t bytes, unsigned seed) {
  std::vector<std::byte> data(bytes);
  for (std::size_t index = 0; index < bytes; ++index)
    data[index] = static_cast<std::byte>(index * 7 + index / 251 + seed);
  return data;
}

}  // namespace

TEST_SUITE("node.landings") {
  TEST_CASE("results are stored non-temporally where that is cheaper by more than their lines' absence costs") {
    constexpr std::size_t round = LandingPolicy::between_trials, trial = LandingPolicy::trial;
    LandingPolicy cheaper, hardly, dearer;
    land(cheaper, past_is_cheaper, 3 * round), land(hardly, hardly_cheaper, 3 * round);
    land(dearer, past_is_dearer, 3 * round);
    CHECK(land(cheaper, past_is_cheaper, 4 * round) == 4 * (round - trial));
    CHECK(land(hardly, hardly_cheaper, 4 * round) == 4 * trial);
    CHECK(land(dearer, past_is_dearer, 4 * round) == 4 * trial);
  }

  TEST_CASE("where costs change, the way follows them within a few trials") {
    LandingPolicy landing;
    for (const Machine& machine : {past_is_cheaper, past_is_dearer, past_is_cheaper}) {
      land(landing, machine, 8 * LandingPolicy::between_trials);
      CHECK(landing.way() == (machine.past < machine.through ? Way::non_temporal : Way::cached));
    }
  }

  TEST_CASE("a copy during which another process ran changes nothing") {
    LandingPolicy landing;
    land(landing, past_is_cheaper, 2 * LandingPolicy::between_trials);
    landing.took(Way::non_temporal, 1e6);
    CHECK(landing.way() == Way::non_temporal);
  }

  TEST_CASE("the caches hold a buffer until as much as they hold has been stored elsewhere") {
    constexpr std::size_t bytes = std::size_t{1} << 20, held = 4 * bytes;
    RecentBuffers recent;
    CHECK(!recent.still_held(at(0), bytes, held));
    CHECK(recent.still_held(at(0), bytes, held));
    for (std::size_t other = 1; other < 4; ++other) CHECK(!recent.still_held(at(other), bytes, held));
    CHECK(recent.still_held(at(0), bytes, held));
    for (std::size_t other = 4; other < 8; ++other) CHECK(!recent.still_held(at(other), bytes, held));
    CHECK(!recent.still_held(at(0), bytes, held));
    CHECK(recent.still_held(at(0), bytes, held));
  }

  TEST_CASE("a buffer of which no more is known counts as one that has left the caches") {
    RecentBuffers recent;
    constexpr std::size_t bytes = 1 << 20, everything = std::size_t{1} << 40;
    for (std::size_t buffer = 0; buffer < 100; ++buffer) CHECK(!recent.still_held(at(buffer), bytes, everything));
    CHECK(!recent.still_held(at(0), bytes, everything));
    CHECK(recent.still_held(at(99), bytes, everything));
  }

  TEST_CASE("a buffer longer than the caches is never held") {
    RecentBuffers recent;
    for (int call = 0; call < 3; ++call) CHECK(!recent.still_held(at(0), 8 << 20, 4 << 20));
  }

  TEST_CASE("whatever the way, the bytes are the same") {
    LandingPolicies landings(2);
    constexpr std::size_t longest = 2 * LandingPolicies::least,
                          calls = 3 * LandingPolicy::trial / longest;  // into the first trial
    std::vector<std::byte> into(calls * longest);
    for (std::size_t call = 0; call < calls; ++call) {
      std::byte* const start = into.data() + call * longest;
      const std::size_t bytes = longest - call * 17;
      const auto from = pattern(bytes, static_cast<unsigned>(call));
      landings.expect(start, bytes);
      for (std::size_t done = 0; done < bytes; done += piece)
        landings.copy(start + done, from.data() + done, std::min(piece, bytes - done));
      CHECK(std::equal(from.begin(), from.end(), start));
    }
  }
}

}  // namespace tutti::shm::test

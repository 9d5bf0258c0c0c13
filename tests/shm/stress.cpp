/// node_stress [CALLS] [SEED]: ranks as threads make that many collectives (10 million unless told) on many groups that
/// come and go, mixed at random, with random delays; every result is checked.  The seed of a run does it again.
#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <thread>

#include "sample_troubles.hpp"

namespace {

using namespace tutti::shm;
using tutti::shm::test::sample_calls;
using tutti::shm::test::SampleCall;

constexpr int ranks = 8;
constexpr std::size_t teams_at_once = 6;

/// Within this process.  What is refusable is refused to some, as their memory lies.
std::ptrdiff_t read_memory(std::int64_t, const void* from, void* into, std::size_t bytes) {
  if (bytes == test::refusable_bytes && reinterpret_cast<std::uintptr_t>(into) / 64 % 2 == 0) return -1;
  std::memcpy(into, from, bytes);
  return static_cast<std::ptrdiff_t>(bytes);
}

std::ptrdiff_t write_memory(std::int64_t process, void* into, const void* from, std::size_t bytes) {
  return read_memory(process, from, into, bytes);
}

/// All ranks draw the same from it: what happens next, and to whom.
using Shared = std::mt19937_64;

/// A group as all ranks know it.
struct Plan {
  std::vector<int> members;
  ShmGroupOptions options;
};

Plan draw_plan(Shared& random) {
  Plan plan;
  std::array<int, ranks> all;
  for (int rank = 0; rank < ranks; ++rank) all[static_cast<std::size_t>(rank)] = rank;
  std::shuffle(all.begin(), all.end(), random);
  // Mostly few members: they make most calls a second, and run furthest ahead of one another.
  const std::size_t size = random() % 8 == 0 ? 2 + random() % (ranks - 1) : 2 + random() % 3;
  plan.members.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
  plan.options = test::smallest(static_cast<int>(size));
  if (random() % 3 == 0) plan.options.chunk = 8 * 1024, plan.options.ring_chunk = 4 * 1024;
  if (random() % 2 == 0) plan.options.cpus = 2;
  if (random() % 2 == 0)
    plan.options.long_ring = 128 * (1 + random() % 64), plan.options.long_payload = 60,
    plan.options.long_ring_after = 1;
  if (random() % 2 == 0) plan.options.deposits = 128 * (1 + random() % 64);
  if (random() % 4 == 0) plan.options.stripe_from = 0;
  if (random() % 3 == 0)
    for (std::size_t member = 0; member < size; ++member)
      plan.options.domains.push_back(static_cast<int>(random() % 3));
  plan.options.read_memory = read_memory, plan.options.write_memory = write_memory;
  return plan;
}

/// What the threads share beside the segments.
struct World {
  std::barrier<> meeting{ranks};
  std::array<std::shared_ptr<Segment>, teams_at_once> segments;
  std::atomic<int> wrong = 0;
};

/// A rank's view of one of the groups.
struct Membership {
  std::unique_ptr<ShmGroup> group;  ///< null where it does not take part
  std::shared_ptr<Segment> memory;
  const std::vector<SampleCall>* calls = nullptr;
  std::size_t size = 0;
};

const std::vector<SampleCall>& calls_of(std::size_t size) {
  static const auto all = [] {
    std::array<std::vector<SampleCall>, ranks + 1> made;
    for (int size = 2; size <= ranks; ++size) {
      auto& calls = made[static_cast<std::size_t>(size)];
      calls = sample_calls(size);
      for (SampleCall& call : tutti::shm::test::troubled_calls(size)) calls.push_back(std::move(call));
    }
    return made;
  }();
  return all[size];
}

class Rank {
 public:
  Rank(World& world, int me, std::uint64_t seed)
      : world_(world), me_(me), shared_(seed), own_(seed * 31 + static_cast<unsigned>(me)) {}

  void run(std::int64_t calls) {
    for (std::size_t place = 0; place < teams_at_once; ++place) replace(place);
    for (std::int64_t call = 0; call < calls; ++call) {
      const std::uint64_t draw = shared_();
      const std::size_t place = draw % teams_at_once;
      if (draw >> 8 & 2047)
        make_call(memberships_[place], draw >> 20, static_cast<int>(call % 500'000));
      else
        replace(place);
    }
  }

 private:
  /// The group of that place is freed, and another made.  Ranks that had no part in the old one may be far ahead.
  void replace(std::size_t place) {
    Membership& membership = memberships_[place];
    membership = {};
    const Plan plan = draw_plan(shared_);
    world_.meeting.arrive_and_wait();  // the one before the last has been picked up by all
    if (me_ == plan.members[0]) {
      Offer offer;
      std::string reason;
      auto made = Segment::create(ShmGroup::bytes(plan.options), Offer::Kind::memfd, offer, reason);
      if (!made) std::fprintf(stderr, "%s\n", reason.c_str()), std::_Exit(2);
      made->publish();
      world_.segments[place] = std::make_shared<Segment>(std::move(*made));
    }
    world_.meeting.arrive_and_wait();
    membership.size = plan.members.size();
    const auto mine = std::find(plan.members.begin(), plan.members.end(), me_);
    if (mine == plan.members.end()) return;
    ShmGroupOptions options = plan.options;
    options.me = static_cast<int>(mine - plan.members.begin());
    membership.memory = world_.segments[place], membership.calls = &calls_of(membership.size);
    membership.group = std::make_unique<ShmGroup>(membership.memory->alias(), options);
    membership.group->agree_on_single_copy();
  }

  void make_call(Membership& membership, std::uint64_t draw, int index) {
    if (!membership.group) return;
    dawdle();
    const SampleCall& call = (*membership.calls)[draw % membership.calls->size()];
    if (call.run(*membership.group, index)) return;
    if (world_.wrong++ < 20)
      std::fprintf(stderr, "wrong: %s, member %d of %zu\n", call.name.c_str(), membership.group->me(), membership.size);
  }

  void dawdle() {
    const std::uint64_t draw = own_();
    if (draw % 8192 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(draw >> 32 & 2047));
    else if (draw % 64 == 0)
      std::this_thread::yield();
    else if (draw % 16 == 0)
      for (volatile std::uint64_t spin = draw >> 32 & 255; spin > 0;) spin = spin - 1;
  }

  World& world_;
  const int me_;
  Shared shared_;
  std::mt19937_64 own_;
  std::array<Membership, teams_at_once> memberships_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t calls = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : std::random_device()();
  const auto start = std::chrono::steady_clock::now();
  calls_of(2);
  World world;
  std::vector<std::thread> threads;
  for (int me = 0; me < ranks; ++me)
    threads.emplace_back([&world, me, seed, calls] { Rank(world, me, seed).run(calls); });
  for (std::thread& thread : threads) thread.join();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%s %lld collectives on about %lld groups of 2 to %d threads, seed %llu (%.0f s)\n",
              world.wrong == 0 ? "ok" : "not ok", static_cast<long long>(calls), static_cast<long long>(calls / 2048),
              ranks, static_cast<unsigned long long>(seed), took.count());
  return world.wrong == 0 ? 0 : 1;
}

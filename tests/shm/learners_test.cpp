/// What a group finds out at run time can be left out, one by one; results are the same, and what is left out is not
/// done.
#include "shm/learners.hpp"

#include <array>
#include <limits>

#include "blocks.hpp"
#include "shm/copy/copy_choice.hpp"
#include "shm/sync/slots.hpp"

namespace tutti::shm::test {
namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
constexpr Borders always_once{1, never}, by_clock{never, 1};

ShmGroupOptions of(int size, Learners learners) {
  ShmGroupOptions options;
  options.size = size, options.cpus = size, options.learners = learners;
  return options;
}

struct LeftOut {
  std::string name;
  Learners learners;
};

std::vector<LeftOut> each_left_out() {
  std::vector<LeftOut> all{{"nothing", Learners::all()}, {"everything", Learners::none()}};
  for (std::size_t i = 0; i < learner_names.size(); ++i)
    all.push_back({std::string(learner_names[i]), Learners::all().without(static_cast<Learner>(i))});
  return all;
}

/// Blocks from one line to what non-temporal stores write; what came out wrong.
int some_calls(ShmGroup& group, int call, const Borders& borders) {
  const Movement move(group, call, borders);
  int bad = 0;
  for (const std::size_t bytes : {100, 2500, 40'000}) {
    const auto block = [&](int) { return bytes; };
    bad += move.gather(0, block) + move.scatter(1, block, Sizes::equal) + move.allgather(block, true);
    bad += move.alltoall([&](int, int) { return bytes; }, Sizes::equal);
  }
  bad += move.bcast(0, std::size_t{1} << 20);
  std::vector<Affine> row(30'000);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = element(group.me(), i, call);
  group.allreduce(row.data(), row.data(), row.size(), affine(), borders);
  for (std::size_t i = 0; i < row.size(); ++i) bad += row[i] != expected(group.size(), i, call);
  return bad;
}

TEST_CASE("whatever is left out, results are the same") {
  for (const auto& [name, learners] : each_left_out())
    for (const int size : {2, 5}) {
      ShmGroupOptions options = of(size, learners);
      if (size > 2) options.cpus = 2;
      std::atomic<int> bad = 0;
      crew(options, [&](ShmGroup& group) {
        group.agree_on_single_copy();
        for (int call = 0; call < 10; ++call)
          for (const Borders& borders : {Borders{}, always_once, by_clock}) bad += some_calls(group, call, borders);
      });
      CHECK_MESSAGE(bad == 0, name << " is left out of " << size << " members");
    }
}

/// How many of the payloads that one member fills, and the other reads, have had their time taken.
int timed_payloads(Learners learners, std::size_t bytes) {
  ShmGroupOptions options = of(2, learners);
  Offer offer;
  std::string reason;
  auto segment = Segment::create(Slots::bytes(options), Offer::Kind::memfd, offer, reason);
  REQUIRE_MESSAGE(segment.has_value(), reason);
  Slots writer(segment->alias(), options, nullptr);
  options.me = 1;
  Slots reader(segment->alias(), options, nullptr);
  std::vector<std::byte> from(bytes, std::byte{9}), into(bytes);
  int timed = 0;
  for (int call = 0; call < 400; ++call) {
    const Turn turn = writer.take();
    writer.fill(writer.writable(turn), from.data(), bytes);
    writer.post(turn, 1);
    const std::byte* const payload = reader.await(0, reader.take());
    timed += (reader.note(0, turn) & way_mask) != 0;
    reader.read(0, turn, into.data(), payload, bytes);
    reader.leave(turn);
    CHECK(into == from);
  }
  return timed;
}

TEST_CASE("stores: no payload is timed, and none is written with non-temporal stores") {
  const Learners without = Learners::all().without(Learner::stores);
  for (const std::size_t bytes : {4096, 16'384}) {
    CHECK((timed_payloads(Learners::all(), bytes) > 0) == can_go_non_temporal);
    CHECK(timed_payloads(without, bytes) == 0);
  }
  StorePolicy stores(false);
  std::vector<std::byte> from(4096, std::byte{3}), to(4096);
  for (unsigned write = 0; write < 2 * Preference::period; ++write) {
    CHECK(stores.copy(to.data(), from.data(), to.size()) == 0);
    CHECK_FALSE(stores.went_non_temporal());
  }
  CHECK(to == from);
}

TEST_CASE("brief: no short payload's time is taken, and longer ones' is") {
  const Learners without = Learners::all().without(Learner::brief);
  CHECK((timed_payloads(Learners::all(), 1024) > 0) == can_demote());
  CHECK(timed_payloads(without, 1024) == 0);
  CHECK((timed_payloads(without, 4096) > 0) == can_go_non_temporal);
}

TEST_CASE("landings: no result is written with non-temporal stores") {
  std::vector<std::byte> buffer(LandingPolicies::least);
  LandingPolicies learning(2, true), fixed(2, false);
  learning.expect(buffer.data(), buffer.size()), fixed.expect(buffer.data(), buffer.size());
  CHECK(learning.may_go_past());
  CHECK_FALSE(fixed.may_go_past());
  for (const bool learns : {true, false}) {
    const Learners all = Learners::all();
    const ShmGroupOptions options = of(2, learns ? all : all.without(Learner::landings));
    Offer offer;
    std::string reason;
    auto segment = Segment::create(Slots::bytes(options), Offer::Kind::memfd, offer, reason);
    REQUIRE_MESSAGE(segment.has_value(), reason);
    Slots slots(segment->alias(), options, nullptr);
    slots.expect(buffer.data(), buffer.size());
    CHECK(slots.landings().may_go_past() == learns);
  }
}

std::atomic<int> reads{0}, writes{0};
std::atomic<std::size_t> longest_read{0};  ///< bytes; one member reads

/// Slow enough that the other side comes for a piece.
std::ptrdiff_t counted_read(std::int64_t, const void* from, void* into, std::size_t bytes) {
  const bool block = bytes > sizeof(std::uint64_t);
  reads += block;
  if (bytes > longest_read) longest_read = bytes;
  if (block) std::this_thread::sleep_for(std::chrono::microseconds(20));
  std::memcpy(into, from, bytes);
  return static_cast<std::ptrdiff_t>(bytes);
}

std::ptrdiff_t counted_write(std::int64_t, void* into, const void* from, std::size_t bytes) {
  ++writes;
  std::memcpy(into, from, bytes);
  return static_cast<std::ptrdiff_t>(bytes);
}

ShmGroupOptions counted(Learners learners) {
  ShmGroupOptions options = of(2, learners);
  options.read_memory = counted_read, options.write_memory = counted_write;
  reads = 0, writes = 0, longest_read = 0;
  return options;
}

TEST_CASE("joint: the reader of a long block copies it alone") {
  for (const bool joint : {true, false}) {
    const Learners all = Learners::all();
    std::atomic<int> bad = 0;
    const std::size_t bytes = std::size_t{1} << 19;
    crew(counted(joint ? all : all.without(Learner::joint)), [&](ShmGroup& group) {
      group.agree_on_single_copy();
      for (int call = 0; call < 50; ++call)
        bad += Movement(group, call, always_once).gather(0, [&](int) { return bytes; });
    });
    CHECK(bad == 0);
    CHECK((writes > 0) == joint);
    CHECK((joint ? longest_read < bytes : longest_read == bytes));  // in pieces, or as a whole
  }
}

/// Of so many calls of each member, from the same buffers.
constexpr int calls = 2 * static_cast<int>(CopyChoice::first_lesson);

TEST_CASE("copies: blocks of one length go one way") {
  for (const bool learns : {true, false}) {
    const Learners all = Learners::all();
    std::atomic<int> bad = 0;
    crew(counted(learns ? all : all.without(Learner::copies)), [&](ShmGroup& group) {
      group.agree_on_single_copy();
      const std::size_t bytes = 100'000;
      std::vector<std::byte> in(2 * bytes, static_cast<std::byte>(group.me() + 1)), out(in.size());
      for (int call = 0; call < calls; ++call) {
        out.assign(out.size(), std::byte{0});
        group.alltoall({in.data(), bytes}, {out.data(), bytes}, Sizes::equal, by_clock);
        const std::byte* const theirs = out.data() + (group.me() == 0 ? bytes : 0);
        bad += std::count(theirs, theirs + bytes, static_cast<std::byte>(2 - group.me())) != static_cast<int>(bytes);
      }
    });
    CHECK(bad == 0);
    CHECK((learns ? reads < 2 * calls : reads == 2 * calls));
  }
}

TEST_CASE("copies: reductions of two members of one length go one way") {
  for (const bool learns : {true, false}) {
    const Learners all = Learners::all();
    std::atomic<int> bad = 0;
    crew(counted(learns ? all : all.without(Learner::copies)), [&](ShmGroup& group) {
      group.agree_on_single_copy();
      std::vector<Affine> in(10'000), out(in.size());
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = element(group.me(), i, 1);
      for (int call = 0; call < calls; ++call) {
        group.allreduce(in.data(), out.data(), in.size(), affine(), by_clock);
        for (std::size_t i = 0; i < in.size(); ++i) bad += out[i] != expected(2, i, 1);
      }
    });
    CHECK(bad == 0);
    CHECK((learns ? reads < 2 * calls : reads == 2 * calls));
  }
}

}  // namespace
}  // namespace tutti::shm::test

/// Calls in tasks: all members of a group on one thread, so that a wait that blocked would block for ever.
#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sample_calls.hpp"
#include "shm/group.hpp"
#include "task/task.hpp"

namespace tutti::shm::test {
namespace {

std::ptrdiff_t read_memory(std::int64_t, const void* from, void* into, std::size_t bytes) {
  std::memcpy(into, from, bytes);
  return static_cast<std::ptrdiff_t>(bytes);
}

std::ptrdiff_t write_memory(std::int64_t process, void* into, const void* from, std::size_t bytes) {
  return read_memory(process, from, into, bytes);
}

/// A member: what it calls one after the other, in a task.
struct Member {
  Task task;
  std::unique_ptr<ShmGroup> group;
  const std::vector<const SampleCall*>* program = nullptr;
  int suspensions = 0;
  std::string wrong;

  Suspend suspend() {
    return {[](void* self) {
              auto& member = *static_cast<Member*>(self);
              ++member.suspensions;
              member.task.suspend();
            },
            this};
  }
  static void body(void* self) noexcept {
    auto& member = *static_cast<Member*>(self);
    member.group->agree_on_single_copy();
    for (std::size_t index = 0; index < member.program->size(); ++index) {
      const SampleCall& call = *(*member.program)[index];
      if (!call.run(*member.group, static_cast<int>(index)) && member.wrong.empty()) member.wrong = call.name;
    }
  }
};

/// Every member's program, resumed in an order drawn at random.  The suspensions of all.
int run(const ShmGroupOptions& options, const std::vector<const SampleCall*>& program, std::mt19937& random) {
  Offer offer;
  std::string reason;
  const auto segment = Segment::create(ShmGroup::bytes(options), Offer::Kind::memfd, offer, reason);
  REQUIRE_MESSAGE(segment.has_value(), reason);
  std::vector<std::unique_ptr<Member>> members;
  for (int me = 0; me < options.size; ++me) {
    auto member = std::make_unique<Member>();
    ShmGroupOptions mine = options;
    mine.me = me, mine.suspend = member->suspend(), mine.read_memory = read_memory, mine.write_memory = write_memory;
    member->group = std::make_unique<ShmGroup>(segment->alias(), mine);
    member->program = &program;
    members.push_back(std::move(member));
  }
  for (const auto& member : members) member->task.start(Member::body, member.get());
  for (std::vector<Member*> left;; left.clear()) {
    for (const auto& member : members)
      if (member->task.running()) left.push_back(member.get());
    if (left.empty()) break;
    left[random() % left.size()]->task.resume();
  }
  int suspensions = 0;
  for (const auto& member : members) {
    CHECK_MESSAGE(member->wrong.empty(), options.size << " members: " << member->wrong);
    suspensions += member->suspensions;
  }
  return suspensions;
}

TEST_CASE("every collective suspends its task where it would wait") {
  std::mt19937 random(1);
  for (const int size : {1, 2, 3, 4, 5, 8}) {
    const std::vector<SampleCall> all = sample_calls(size);
    for (int round = 0; round < 12; ++round) {
      ShmGroupOptions options = smallest(size);
      options.cpus = round % 2 == 0 ? size : 2;
      if (round % 3 == 1) options.chunk = 8 * 1024, options.ring_chunk = 4 * 1024;
      if (round % 3 == 2)
        for (int member = 0; member < size; ++member) options.domains.push_back(member % 2);
      std::vector<const SampleCall*> program;
      for (int call = 0; call < 3000; ++call) program.push_back(&all[random() % all.size()]);
      const int suspensions = run(options, program, random);
      CHECK((suspensions > 0) == (size > 1));
    }
  }
}

}  // namespace
}  // namespace tutti::shm::test

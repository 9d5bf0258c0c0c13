/// Depth first.  Equal states (all of the shared memory, each member's registers, heap and stack) are explored once.
#include "explore.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "fibers.hpp"
#include "shm/sync/waiting.hpp"

namespace tutti::shm::interleaving {
namespace {

/// Within this process; what is refusable is refused to member 0.
std::ptrdiff_t read_memory(std::int64_t, const void* from, void* into, std::size_t bytes) {
  if (bytes == test::refusable_bytes && fibers()[0].owns(into)) return -1;
  std::memcpy(into, from, bytes);
  return static_cast<std::ptrdiff_t>(bytes);
}
/// Takes a while: others get on with what they do.
std::ptrdiff_t write_memory(std::int64_t, void* into, const void* from, std::size_t bytes) {
  end_of_step(nullptr, 0);
  if (bytes == test::refusable_bytes && fibers()[0].owns(from)) return -1;
  std::memcpy(into, from, bytes);
  return static_cast<std::ptrdiff_t>(bytes);
}

/// What members write down for the explorer; it is saved and restored with them.
struct Diary {
  int call[4] = {-1, -1, -1, -1};  ///< each member's, begun last
  int wrong_by = -1;               ///< the member that got a wrong result
  bool too_early = false;          ///< somebody left a barrier before all had come
};

}  // namespace

struct Explorer::Impl {
  Impl(int size, std::vector<int> domains, std::size_t long_ring, std::size_t deposits)
      : options(test::smallest(size)) {
    options.long_ring = long_ring, options.long_payload = 60, options.long_ring_after = 0;
    options.deposits = deposits;
    options.read_memory = read_memory, options.write_memory = write_memory, options.domains = std::move(domains);
    Offer offer;
    std::string reason;
    segment = Segment::create(ShmGroup::bytes(options), Offer::Kind::memfd, offer, reason);
    if (!segment) std::fprintf(stderr, "%s\n", reason.c_str()), std::exit(2);
    groups.resize(static_cast<std::size_t>(size));
  }

  int size() const { return options.size; }
  Fiber& fiber(int member) const { return fibers()[static_cast<std::size_t>(member)]; }

  void begin(const std::vector<const SampleCall*>& asked) {
    program = asked, diary = Diary{}, started = 0;
    std::memset(segment->data(), 0, segment->size());
    for (int me = 0; me < size(); ++me) {
      ShmGroupOptions mine = options;
      mine.me = me;
      auto& group = groups[static_cast<std::size_t>(me)];
      group.reset(), fiber(me).clear();
      fiber(me).inside([&] { group = std::make_unique<ShmGroup>(segment->alias(), mine); });
      fiber(me).begin([this, me] {
        groups[static_cast<std::size_t>(me)]->agree_on_single_copy();
        end_of_step(&started, 1);
        play(me);
      });
    }
    for (bool moved = true; std::exchange(moved, false);)
      for (int me = 0; me < size(); ++me)
        if (fiber(me).ready()) fiber(me).resume(), moved = true;
    started = 1;
  }

  void play(int me) {
    ShmGroup& group = *groups[static_cast<std::size_t>(me)];
    for (int index = 0; index < static_cast<int>(program.size()); ++index) {
      const SampleCall& call = *program[static_cast<std::size_t>(index)];
      diary.call[me] = index;
      if (!call.run(group, index)) diary.wrong_by = me;
      if (call.name == "barrier")
        for (int other = 0; other < size(); ++other) diary.too_early |= diary.call[other] < index;
    }
  }

  std::vector<std::byte> saved() const {
    std::vector<std::byte> all;
    const auto* notes = reinterpret_cast<const std::byte*>(&diary);
    all.insert(all.end(), notes, notes + sizeof diary);
    all.insert(all.end(), segment->data(), segment->data() + segment->size());
    for (int me = 0; me < size(); ++me) fiber(me).save(all);
    return all;
  }

  void restore(const std::vector<std::byte>& all) {
    const std::byte* from = all.data();
    std::memcpy(&diary, from, sizeof diary);
    std::memcpy(segment->data(), from + sizeof diary, segment->size());
    from += sizeof diary + segment->size();
    for (int me = 0; me < size(); ++me) from = fiber(me).restore(from);
  }

  std::uint64_t hash() const {
    std::uint64_t sum = hash_bytes(segment->data(), segment->size() / 8 * 8, 1);
    for (int me = 0; me < size(); ++me) sum = fiber(me).hash(sum);
    return sum;
  }

  /// What the members have found wrong so far, or null.  It is no part of a state's hash: ask after every step.
  const char* noticed() const {
    if (diary.wrong_by >= 0) return "a wrong result";
    return diary.too_early ? "a barrier left before all had come" : nullptr;
  }

  bool finished() const {
    for (int me = 0; me < size(); ++me)
      if (!fiber(me).done()) return false;
    return true;
  }

  ShmGroupOptions options;
  std::optional<Segment> segment;
  std::vector<std::unique_ptr<ShmGroup>> groups;
  std::vector<const SampleCall*> program;
  std::atomic<std::uint64_t> started = 0;  ///< 1: the program begins; before, all run in turn
  Diary diary;
};

namespace {

/// A state on the path from the beginning, and the members not yet tried there.
struct Fork {
  std::vector<std::byte> state;
  std::vector<int> untried;
  int taken = -1;
};

std::string story(const std::vector<Fork>& path, const char* what, const std::vector<const SampleCall*>& program,
                  const Diary& diary) {
  std::string text = std::string(what) + ".  Calls:";
  for (const SampleCall* call : program) text += " [" + call->name + "]";
  text += "  Members at calls";
  for (const int call : diary.call)
    if (call >= 0) text += ' ' + std::to_string(call);
  text += "; steps:";
  for (const Fork& fork : path) text += ' ' + std::to_string(fork.taken);
  return text;
}

}  // namespace

Explorer::Explorer(int size, std::vector<int> domains, std::size_t long_ring, std::size_t deposits)
    : impl_(std::make_unique<Impl>(size, std::move(domains), long_ring, deposits)) {}
Explorer::~Explorer() = default;

Outcome Explorer::explore(const std::vector<const SampleCall*>& program) {
  Impl& run = *impl_;
  Outcome outcome;
  std::unordered_set<std::uint64_t> seen;
  std::vector<Fork> path;
  run.begin(program);
  const auto arrive = [&]() -> const char* {
    ++outcome.states;
    Fork fork{run.saved(), {}};
    for (int me = 0; me < run.size(); ++me)
      if (run.fiber(me).ready()) fork.untried.push_back(me);
    if (fork.untried.empty() && !run.finished()) return "a deadlock";
    path.push_back(std::move(fork));
    return nullptr;
  };
  const char* fault = arrive();
  while (!fault && !path.empty()) {
    Fork& here = path.back();
    if (here.untried.empty()) {
      path.pop_back();
      continue;
    }
    run.restore(here.state);
    here.taken = here.untried.back();
    here.untried.pop_back();
    run.fiber(here.taken).resume();
    ++outcome.steps;
    fault = run.noticed();
    if (!fault && seen.insert(run.hash()).second) fault = arrive();
  }
  if (fault) outcome.fault = story(path, fault, program, run.diary);
  return outcome;
}

}  // namespace tutti::shm::interleaving

#include "record/backend/recorder.hpp"

#include <sched.h>
#include <time.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <numeric>
#include <string_view>

#include "clock/cycles.hpp"
#include "record/backend/record.hpp"
#include "record/backend/size.hpp"
#include "runtime/datatype/operators.hpp"
#include "runtime/plan/sides.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/report/journal.hpp"
#include "selection/number.hpp"

namespace tutti::record {

using runtime::pmpi;

bool ticks_are_cycles = false;

namespace {

Recorder* the_recorder = nullptr;
std::atomic<bool> broken{false};

constexpr std::size_t most_keys = 4096;
constexpr std::int64_t usual_samples = 1 << 16;

std::size_t most_samples() {
  const char* const asked = std::getenv("TUTTI_RECORD_SAMPLES");
  const auto number = parse_number(asked ? asked : "");  // the table of settings has the bounds, and complains
  constexpr std::int64_t least = 16, most = 1 << 28;
  return static_cast<std::size_t>(number && *number >= least && *number <= most ? *number : usual_samples);
}

template <class Handle>
std::uint64_t number(Handle handle) {
  std::uint64_t value = 0;
  static_assert(sizeof handle <= sizeof value);
  std::memcpy(&value, &handle, sizeof handle);
  return value;
}

std::string type_name(MPI_Datatype type) {
  std::array<char, MPI_MAX_OBJECT_NAME + 1> text{};
  int length = 0;
  if (pmpi.Type_get_name(type, text.data(), &length) != MPI_SUCCESS || text[0] == 0) return "derived";
  return text.data();
}

std::string operator_name(MPI_Op op) {
  for (const runtime::PredefinedOperator& each : runtime::predefined_operators())
    if (each.handle == op) return each.name;
  return "user's";
}

/// "0-3,8,10-11"
std::string as_ranges(const std::vector<int>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    text += (i ? "," : "") + std::to_string(ranks[i]) + (last > i ? "-" + std::to_string(ranks[last]) : "");
    i = last + 1;
  }
  return text;
}

/// The ranks in MPI_COMM_WORLD of a communicator's own group; empty in a program that uses sessions alone.
std::vector<int> world_ranks(MPI_Comm comm, int size) {
  int initialized = 0;
  if (pmpi.Initialized(&initialized) != MPI_SUCCESS || !initialized) return {};
  MPI_Group own = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
  pmpi.Comm_group(comm, &own);
  pmpi.Comm_group(MPI_COMM_WORLD, &world);
  std::vector<int> mine(static_cast<std::size_t>(size)), found(mine.size());
  std::iota(mine.begin(), mine.end(), 0);
  pmpi.Group_translate_ranks(own, size, mine.data(), world, found.data());
  pmpi.Group_free(&own);
  pmpi.Group_free(&world);
  return found;
}

Communicator describe(MPI_Comm comm) {
  Communicator found;
  int inter = 0;
  pmpi.Comm_size(comm, &found.size);
  pmpi.Comm_rank(comm, &found.rank);
  pmpi.Comm_test_inter(comm, &inter);
  found.inter = inter != 0;
  const std::vector<int> ranks = world_ranks(comm, found.size);
  constexpr std::uint64_t start = 0xcbf29ce484222325u, prime = 0x100000001b3u;  // FNV-1a
  found.members = start + (found.inter ? 1 : 0);
  for (const int rank : ranks) found.members = (found.members ^ static_cast<std::uint32_t>(rank)) * prime;
  if (found.rank == 0) found.ranks = as_ranges(ranks);
  return found;
}

}  // namespace

bool wanted() {
  const char* const file = std::getenv("TUTTI_RECORD");
  return file && *file;
}

bool serving() {
  const char* const value = std::getenv("TUTTI");
  if (!value) return true;
  for (const char* const no : {"off", "0", "no", "false"})
    if (strcasecmp(value, no) == 0) return false;
  return true;
}

std::uint64_t nanoseconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC_RAW, &time);
  constexpr std::uint64_t billion = 1'000'000'000;
  return static_cast<std::uint64_t>(time.tv_sec) * billion + static_cast<std::uint64_t>(time.tv_nsec);
}

/// Of some readings of both clocks the one that took least.
Anchor anchor_now() {
  Anchor best;
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t before = ticks(), time = nanoseconds(), after = ticks();
    if (after - before < least) least = after - before, best = {before + (after - before) / 2, time};
  }
  return best;
}

Recorder::Lock::Lock(std::atomic<bool>& taken) : taken_(taken) {
  while (taken_.exchange(true, std::memory_order_acquire)) sched_yield();
}

Recorder::Recorder() : book_(most_keys, most_samples()), start_(anchor_now()) {}

std::uint32_t Recorder::number_of(runtime::State& state) {
  if (state.recorded >= 0) return static_cast<std::uint32_t>(state.recorded);
  Communicator found = describe(state.comm);
  found.ordinal = alike_[{found.members, found.size}]++;
  const std::uint32_t own =
      book_.add_communicator(found.members * 31 + static_cast<std::uint64_t>(found.ordinal) * 0x9E3779B97F4A7C15u);
  communicators_.push_back(std::move(found));
  state.recorded = static_cast<int>(own);
  return own;
}

void Recorder::name_handles(MPI_Datatype type, MPI_Op op, const Key& key) {
  if (key.datatype && !types_.contains(key.datatype)) types_[key.datatype] = type_name(type);
  if (key.op && !operators_.contains(key.op)) operators_[key.op] = operator_name(op);
}

void Recorder::note(const void* caller, const void* frame, const runtime::Operation& call, std::uint64_t begin,
                    std::uint64_t end) {
  runtime::State* state = runtime::find_state(call.comm);
  if (!state) state = runtime::acquire_state(call.comm);
  if (!state) return;  // MPI is being finalised
  const Lock lock(taken_);
  Key key;
  key.communicator = number_of(*state);
  key.site = sites_.of(caller, frame);
  const Communicator& communicator = communicators_[key.communicator];
  key.collective = static_cast<std::uint8_t>(call.collective);
  key.in_place = call.in_place ? 1 : 0;
  if (rooted(call.collective)) key.root = call.root;
  const MPI_Datatype type = runtime::side_of_size(call, communicator.rank).type;
  const bool typed = call.collective != Collective::barrier && !call.receive.types && type != MPI_DATATYPE_NULL;
  if (!communicator.inter) key.bytes = size_of_call(call, communicator.rank, communicator.size);
  if (typed && !communicator.inter) key.datatype = number(type);
  if (reduces(call.collective)) key.op = number(call.op);
  const std::size_t before = book_.entries().size();
  book_.add(key, begin, end);
  if (book_.entries().size() != before) [[unlikely]]
    name_handles(type, call.op, key);
}

void begin() {
  ticks_are_cycles = cycles_are_invariant();
  if (!the_recorder) the_recorder = new Recorder;  // outlives every static object, as the states do
}

Recorder* recorder() { return the_recorder; }

void note(const void* caller, const void* frame, const runtime::Operation& call, std::uint64_t begin,
          std::uint64_t end) noexcept {
  if (!the_recorder || broken.load(std::memory_order_relaxed)) return;
  try {
    the_recorder->note(caller, frame, call, begin, end);
  } catch (const std::exception& error) {
    broken.store(true);
    runtime::journal::say(runtime::journal::text("recording ends: %s", error.what()));
  }
}

}  // namespace tutti::record

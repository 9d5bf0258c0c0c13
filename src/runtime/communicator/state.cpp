#include "runtime/communicator/state.hpp"

#include <exception>
#include <mutex>
#include <vector>

#include "runtime/communicator/active.hpp"
#include "runtime/communicator/state_attribute.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/report/shown_communicator.hpp"

namespace tutti::runtime {

std::array<std::atomic<State*>, std::size_t{1} << table_bits> state_table{};

State::State() = default;
State::~State() = default;

void State::pass(std::uint32_t collectives, Reason& why) {
  settle_passing();
  passing |= collectives;
  for (std::size_t i = 0; i < passing_why.size(); ++i) {
    if (!(collectives >> i & 1)) continue;
    passing_why[i] = &why;
    passing_since[i] = tallies[0][i].calls.load(std::memory_order_relaxed);
  }
}

void State::settle_passing() {
  if (!passing) return;
  for (std::size_t i = 0; i < passing_why.size(); ++i) {
    if (!(passing >> i & 1) || !passing_why[i]) continue;
    const std::uint64_t now = tallies[0][i].calls.load(std::memory_order_relaxed);
    if (now != passing_since[i]) passing_why[i]->count(static_cast<Collective>(i), now - passing_since[i]);
    passing_since[i] = now;
  }
}

std::uint64_t State::blocking_calls() const {
  std::uint64_t sum = 0;
  for (const Tally& tally : tallies[0]) sum += tally.calls.load(std::memory_order_relaxed);
  return sum - earlier - uncounted;
}

namespace {

/// Retired: no state is found any more.  Ending: MPI_Finalize has begun.  Closed: no state is made any more.
std::atomic<bool> retired{false}, ending{false}, closed{false};
thread_local const BeingFreed* innermost_freed = nullptr;

/// Every state there ever was.  The lock guards the lists, never a call of the MPI underneath or a wait.
struct Registry {
  std::mutex mutex;
  std::vector<std::unique_ptr<State>> all;
  State* free = nullptr;
};

Registry& registry() {
  static auto& registry = *new Registry;  // outlives every static object: delete callbacks may run late
  return registry;
}

State* fresh_state() {
  const std::lock_guard lock(registry().mutex);
  if (State* state = registry().free) {
    registry().free = state->next_free;
    return state;
  }
  return registry().all.emplace_back(std::make_unique<State>()).get();
}

Totals read(const Tally& tally) {
  const auto value = [](const std::atomic<std::uint64_t>& counter) { return counter.load(std::memory_order_relaxed); };
  return {value(tally.calls), value(tally.eligible), value(tally.node), value(tally.flat), value(tally.hierarchy)};
}

void add(Totals& sum, const Totals& more) {
  sum.calls += more.calls, sum.eligible += more.eligible, sum.node += more.node, sum.flat += more.flat;
  sum.hierarchy += more.hierarchy;
}

/// Back to the free list, with its tallies: the next communicator's calls are added to them.
void release(State& state) {
  state.key.store(State::nobody, std::memory_order_release);
  state.settle_passing();
  state.sharing.reset(), state.venue.reset();
  state.active.reset();
  state_attribute::let_go();
  hang::release(*state.shown);
  state.shown = &hang::nowhere();
  if (state.passing) state.passing_why.fill(nullptr);
  state.mode = Mode::counting, state.passing = 0, state.meets = false, state.seen = 0, state.recorded = -1,
  state.rank = -1;
  state.comm = MPI_COMM_NULL;
  const std::lock_guard lock(registry().mutex);
  state.next_free = registry().free;
  registry().free = &state;
}

int deleted(MPI_Comm, int, void* value, void*) {
  State& state = *static_cast<State*>(value);
  // As MPI ends, it deletes the attributes of MPI_COMM_WORLD: later calls must not create another state.
  if (ending.load(std::memory_order_relaxed) && !innermost_freed && state.size > 1)
    closed.store(true, std::memory_order_relaxed);
  release(state);
  return MPI_SUCCESS;
}

/// Intercommunicators and single ranks are the MPI's own for ever.
State* new_state(MPI_Comm comm) {
  int inter = 0, size = 0;
  if (pmpi.Comm_test_inter(comm, &inter) != MPI_SUCCESS || pmpi.Comm_size(comm, &size) != MPI_SUCCESS) return nullptr;
  State* const state = fresh_state();
  state->comm = comm, state->size = size, state->inter = inter != 0;
  state->uncounted = 0;
  state->earlier += state->blocking_calls();
  if (inter || size < 2) state->leave_alone(inter ? two_groups() : one_rank());
  if (inter || size > 1) state->shown = &show(comm, size, inter != 0);
  const int keyval = state_attribute::hold(deleted);
  if (keyval != MPI_KEYVAL_INVALID && pmpi.Comm_set_attr(comm, keyval, state) == MPI_SUCCESS) return state;
  release(*state);
  return nullptr;
}

}  // namespace

State* acquire_state(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL || retired.load(std::memory_order_relaxed)) return nullptr;
  State* state = state_attribute::of(comm);
  const bool dying = innermost_freed != nullptr && being_freed(comm);
  if (!state && !dying && !closed.load(std::memory_order_relaxed)) state = new_state(comm);
  if (!state) return nullptr;
  if (dying) state->leave_alone(being_freed_reason());
  const std::uint64_t key = key_of(comm);
  state->key.store(key, std::memory_order_relaxed);
  table_slot(key).store(state, std::memory_order_release);
  return state;
}

hang::Communicator& shown_at_first(MPI_Comm comm) noexcept {
  try {
    if (const State* const state = acquire_state(comm)) return *state->shown;
  } catch (const std::exception&) {  // memory, at most: the call itself will say so
  }
  return hang::nowhere();
}

BeingFreed::BeingFreed(MPI_Comm comm) : comm_(comm), outer_(innermost_freed), state_(find_state(comm)) {
  innermost_freed = this;
  if (!state_) return;
  mode_ = state_->mode, passing_ = state_->passing;
  state_->leave_alone(being_freed_reason());
}

BeingFreed::~BeingFreed() { innermost_freed = outer_; }

void BeingFreed::refused() {
  if (!state_ || state_->key.load(std::memory_order_relaxed) != key_of(comm_)) return;
  state_->settle_passing();
  state_->mode = mode_, state_->passing = passing_;
}

bool being_freed(MPI_Comm comm) {
  for (const BeingFreed* freed = innermost_freed; freed; freed = freed->outer_)
    if (freed->comm_ == comm) return true;
  return false;
}

void begin_finalizing() { ending.store(true, std::memory_order_relaxed); }
bool finalizing() { return ending.load(std::memory_order_relaxed); }

bool states_retired() { return retired.load(std::memory_order_relaxed); }

void retire_states() {
  ending.store(true, std::memory_order_relaxed);
  retired.store(true, std::memory_order_relaxed);
  drop_idle_engines();
  const std::lock_guard lock(registry().mutex);
  for (const auto& state : registry().all) {
    state->leave_alone(being_freed_reason());
    if (state->active) state->active->engine.reset();
  }
}

void settle_all_passing() {
  const std::lock_guard lock(registry().mutex);
  for (const auto& state : registry().all) state->settle_passing();
}

Totals totals(Collective which, Form form) {
  const std::lock_guard lock(registry().mutex);
  Totals sum;
  for (const auto& state : registry().all) add(sum, read(state->tally(which, form)));
  return sum;
}

}  // namespace tutti::runtime

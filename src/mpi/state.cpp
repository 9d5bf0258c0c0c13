#include "mpi/state.hpp"

#include <mutex>
#include <vector>

#include "mpi/active.hpp"
#include "mpi/pmpi.hpp"
#include "mpi/state_attribute.hpp"

namespace tutti::mpi {

std::array<std::atomic<State*>, std::size_t{1} << table_bits> state_table{};

State::State() = default;
State::~State() = default;

namespace {

std::atomic<bool> retired{false};

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
  state.sharing.reset();
  state.active.reset();
  state_attribute::let_go();
  state.mode = Mode::counting, state.passing = 0, state.seen = 0, state.recorded = -1;
  state.comm = MPI_COMM_NULL;
  const std::lock_guard lock(registry().mutex);
  state.next_free = registry().free;
  registry().free = &state;
}

int deleted(MPI_Comm, int, void* value, void*) {
  release(*static_cast<State*>(value));
  return MPI_SUCCESS;
}

/// Intercommunicators and single ranks are the MPI's own for ever.
State* new_state(MPI_Comm comm) {
  int inter = 0, size = 0;
  if (pmpi.Comm_test_inter(comm, &inter) != MPI_SUCCESS || pmpi.Comm_size(comm, &size) != MPI_SUCCESS) return nullptr;
  State* const state = fresh_state();
  state->comm = comm, state->size = size;
  if (inter || size < 2) state->leave_alone();
  const int keyval = state_attribute::hold(deleted);
  if (keyval != MPI_KEYVAL_INVALID && pmpi.Comm_set_attr(comm, keyval, state) == MPI_SUCCESS) return state;
  release(*state);
  return nullptr;
}

}  // namespace

State* acquire_state(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL || retired.load(std::memory_order_relaxed)) return nullptr;
  State* state = state_attribute::of(comm);
  if (!state) state = new_state(comm);
  if (!state) return nullptr;
  const std::uint64_t key = key_of(comm);
  state->key.store(key, std::memory_order_relaxed);
  table_slot(key).store(state, std::memory_order_release);
  return state;
}

bool states_retired() { return retired.load(std::memory_order_relaxed); }

void retire_states() {
  retired.store(true, std::memory_order_relaxed);
  drop_idle_engines();
  const std::lock_guard lock(registry().mutex);
  for (const auto& state : registry().all) {
    state->leave_alone();
    if (state->active) state->active->engine.reset();
  }
}

Totals totals(Collective which) {
  const std::lock_guard lock(registry().mutex);
  const auto index = static_cast<std::size_t>(which);
  Totals sum;
  for (const auto& state : registry().all) add(sum, read(state->tallies[index]));
  return sum;
}

}  // namespace tutti::mpi

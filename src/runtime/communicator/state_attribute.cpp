#include "runtime/communicator/state_attribute.hpp"

#include <sched.h>

#include <atomic>

#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime::state_attribute {
namespace {

std::atomic<int> key{MPI_KEYVAL_INVALID};
/// States that hang by the key.  `freeing` while the last one takes the key with it.
std::atomic<long> held{0};
constexpr long freeing = -1;

/// A duplicate of a communicator starts without a state.
int never_copied(MPI_Comm, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

int made(MPI_Comm_delete_attr_function* deleted) {
  int fresh = MPI_KEYVAL_INVALID;
  if (pmpi.Comm_create_keyval(never_copied, deleted, &fresh, nullptr) != MPI_SUCCESS) return MPI_KEYVAL_INVALID;
  int known = MPI_KEYVAL_INVALID;
  if (key.compare_exchange_strong(known, fresh)) return fresh;
  pmpi.Comm_free_keyval(&fresh);  // another thread was first
  return known;
}

/// With MPI_Init, MPI stays until MPI_Finalize, and so may the key.  With sessions alone, MPICH forgets all keys when
/// the last session ends, and gives their values to others when the next one begins.
bool key_may_stay() {
  int initialized = 0;
  return pmpi.Initialized(&initialized) == MPI_SUCCESS && initialized;
}

}  // namespace

State* of(MPI_Comm comm) {
  const int keyval = key.load(std::memory_order_acquire);
  void* value = nullptr;
  int found = 0;
  if (keyval == MPI_KEYVAL_INVALID || pmpi.Comm_get_attr(comm, keyval, &value, &found) != MPI_SUCCESS) return nullptr;
  return found ? static_cast<State*>(value) : nullptr;
}

int hold(MPI_Comm_delete_attr_function* deleted) {
  for (long now = held.load();;) {
    if (now == freeing) {  // another thread is in PMPI_Comm_free_keyval, which waits for nobody
      sched_yield();
      now = held.load();
    } else if (held.compare_exchange_weak(now, now + 1)) {
      break;
    }
  }
  const int keyval = key.load(std::memory_order_acquire);
  return keyval != MPI_KEYVAL_INVALID ? keyval : made(deleted);
}

void let_go() {
  long last = 1;
  if (key_may_stay() || !held.compare_exchange_strong(last, freeing)) {
    --held;
    return;
  }
  int old = key.exchange(MPI_KEYVAL_INVALID);
  if (old != MPI_KEYVAL_INVALID) pmpi.Comm_free_keyval(&old);
  held = 0;
}

}  // namespace tutti::runtime::state_attribute

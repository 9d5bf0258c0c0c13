#include "runtime/datatype/known_types.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/datatype/acceptance.hpp"
#include "runtime/platform/pmpi.hpp"

namespace tutti::runtime::known_types {
namespace {

constexpr std::uint64_t nobody = ~std::uint64_t{0};

struct Facts {
  std::atomic<std::uint64_t> key{nobody};
  TypeInfo info;
  Answers answers;
  Facts* next_free = nullptr;
};

/// All that there ever were.  The lock is never held across a call of the MPI underneath.
struct Registry {
  std::mutex mutex;
  std::vector<std::unique_ptr<Facts>> all;
  Facts* free = nullptr;
};

Registry& registry() {
  static auto& registry = *new Registry;  // outlives every static object: delete callbacks may run late
  return registry;
}

constexpr unsigned table_bits = 8;
std::array<std::atomic<Facts*>, std::size_t{1} << table_bits> table{};
std::atomic<int> keyval{MPI_KEYVAL_INVALID};

std::uint64_t key_of(MPI_Datatype type) {
  std::uint64_t key = 0;
  std::memcpy(&key, &type, sizeof type);
  return key;
}

std::atomic<Facts*>& slot(std::uint64_t key) { return table[(key * 0x9E3779B97F4A7C15u) >> (64 - table_bits)]; }

Facts* fresh() {
  const std::lock_guard lock(registry().mutex);
  if (Facts* facts = registry().free) {
    registry().free = facts->next_free;
    return facts;
  }
  return registry().all.emplace_back(std::make_unique<Facts>()).get();
}

void forget(Facts* facts) {
  facts->key.store(nobody, std::memory_order_release);
  const std::lock_guard lock(registry().mutex);
  facts->next_free = registry().free;
  registry().free = facts;
}

/// A duplicate starts without.
int never_copied(MPI_Datatype, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

int deleted(MPI_Datatype, int, void* facts, void*) {
  forget(static_cast<Facts*>(facts));
  return MPI_SUCCESS;
}

/// With sessions alone a key may be forgotten before the types that have it (state_attribute.cpp): then nothing is
/// kept.
int key_to_hang_on() {
  const int known = keyval.load(std::memory_order_acquire);
  if (known != MPI_KEYVAL_INVALID) return known;
  int initialized = 0, made = MPI_KEYVAL_INVALID, none = MPI_KEYVAL_INVALID;
  if (pmpi.Initialized(&initialized) != MPI_SUCCESS || !initialized) return MPI_KEYVAL_INVALID;
  if (pmpi.Type_create_keyval(never_copied, deleted, &made, nullptr) != MPI_SUCCESS) return MPI_KEYVAL_INVALID;
  if (keyval.compare_exchange_strong(none, made)) return made;
  pmpi.Type_free_keyval(&made);  // another thread was first
  return none;
}

void hang(MPI_Datatype type, const TypeInfo& info, int key) {
  Facts* const facts = fresh();
  facts->info = info;
  facts->answers.forget();
  facts->info.answers = &facts->answers;
  facts->key.store(key_of(type), std::memory_order_release);
  if (pmpi.Type_set_attr(type, key, facts) != MPI_SUCCESS) return forget(facts);
  slot(key_of(type)).store(facts, std::memory_order_release);
}

}  // namespace

const TypeInfo* find(MPI_Datatype type) {
  const int known = keyval.load(std::memory_order_acquire);
  if (known == MPI_KEYVAL_INVALID) return nullptr;
  const std::uint64_t key = key_of(type);
  Facts* facts = slot(key).load(std::memory_order_acquire);
  if (facts && facts->key.load(std::memory_order_acquire) == key) return &facts->info;
  void* value = nullptr;
  int found = 0;
  if (pmpi.Type_get_attr(type, known, &value, &found) != MPI_SUCCESS || !found) return nullptr;
  facts = static_cast<Facts*>(value);
  slot(key).store(facts, std::memory_order_release);
  return &facts->info;
}

/// One thread at a time: a second attribute would delete the first one, which another thread may be reading.  No thread
/// waits, because the MPI may hold a lock of its own while it runs a user's callback: facts that are not kept now will
/// be kept later.
void keep(MPI_Datatype type, const TypeInfo& info) {
  static std::atomic_flag keeping = ATOMIC_FLAG_INIT;
  const int key = key_to_hang_on();
  if (key == MPI_KEYVAL_INVALID || keeping.test_and_set(std::memory_order_acquire)) return;
  if (!find(type)) hang(type, info, key);
  keeping.clear(std::memory_order_release);
}

}  // namespace tutti::runtime::known_types

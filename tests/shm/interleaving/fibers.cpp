#include "fibers.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "shm/sync/waiting.hpp"

namespace tutti::shm::interleaving {
namespace {

constexpr std::size_t most_members = 4;
/// Below the frame of `suspend`: its own and the switch's, and what finished functions left behind.
constexpr std::size_t switch_bytes = 256, remains = 4096;

std::byte* arenas() {
  static auto* const memory =
      static_cast<std::byte*>(::mmap(nullptr, most_members * Fiber::arena_bytes, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (memory == MAP_FAILED) std::abort();
  return memory;
}

Fiber* running = nullptr;

}  // namespace

std::span<Fiber> fibers() {
  static Fiber all[most_members] = {Fiber(arenas()), Fiber(arenas() + Fiber::arena_bytes),
                                    Fiber(arenas() + 2 * Fiber::arena_bytes), Fiber(arenas() + 3 * Fiber::arena_bytes)};
  return all;
}

/// In four independent chains of multiplications: most of the explorer's time goes here.
std::uint64_t hash_bytes(const std::byte* from, std::size_t bytes, std::uint64_t seed) {
  constexpr std::size_t chains = 4, word_bytes = sizeof(std::uint64_t);
  const auto mixed = [&](std::uint64_t hash, std::size_t at) {
    std::uint64_t word;
    std::memcpy(&word, from + at, word_bytes);
    hash = (hash ^ word) * 0xD6E8FEB86659FD93U;
    return hash ^ hash >> 32;
  };
  std::uint64_t hash[chains];
  for (std::size_t i = 0; i < chains; ++i) hash[i] = (seed + i) ^ bytes * 0x9E3779B97F4A7C15U;
  std::size_t at = 0;
  for (; at + chains * word_bytes <= bytes; at += chains * word_bytes)
    for (std::size_t i = 0; i < chains; ++i) hash[i] = mixed(hash[i], at + i * word_bytes);
  for (; at + word_bytes <= bytes; at += word_bytes) hash[0] = mixed(hash[0], at);
  for (std::size_t i = 1; i < chains; ++i)
    hash[0] = (hash[0] ^ hash[i]) * 0xD6E8FEB86659FD93U, hash[0] ^= hash[0] >> 32;
  return hash[0];
}

void Fiber::begin(std::function<void()> body) {
  body_ = std::move(body);
  std::memset(arena_ + state_.heap, 0, arena_bytes - state_.heap);  // the heap may hold its group already
  state_.word = state_.other = nullptr, state_.value = 0, state_.done = false;
  state_.stack = arena_bytes - switch_bytes;  // where makecontext writes
  ::getcontext(&state_.context);
  state_.context.uc_stack.ss_sp = arena_ + arena_bytes / 2;
  state_.context.uc_stack.ss_size = arena_bytes / 2;
  state_.context.uc_link = &explorer_;
  ::makecontext(&state_.context, run, 0);
}

void Fiber::run() {
  running->body_();
  running->state_.done = true;
}

void Fiber::resume() {
  running = this;
  inside([this] { ::swapcontext(&explorer_, &state_.context); });
  if (state_.done) state_.stack = arena_bytes;
}

void Fiber::suspend(const std::atomic<std::uint64_t>* word, std::uint64_t value,
                    const std::atomic<std::uint64_t>* other) {
  state_.word = word, state_.other = other, state_.value = value;
  const auto here = static_cast<std::size_t>(static_cast<std::byte*>(__builtin_frame_address(0)) - arena_);
  state_.stack = here - switch_bytes;
  std::memset(arena_ + state_.stack - remains, 0, remains);  // so that equal states are equal bytes
  ::swapcontext(&state_.context, &explorer_);
}

void* Fiber::allocate(std::size_t bytes) {
  const std::size_t rounded = (bytes + 63) / 64 * 64;
  if (state_.heap + rounded > arena_bytes / 2) std::abort();
  return arena_ + std::exchange(state_.heap, state_.heap + rounded);
}

/// What was allocated last is given back, all else stays: programs are short.
void Fiber::release(void* memory, std::size_t bytes) {
  const std::size_t rounded = (bytes + 63) / 64 * 64;
  std::byte* const begin = static_cast<std::byte*>(memory);
  std::memset(begin, 0, rounded);
  if (begin + rounded == arena_ + state_.heap) state_.heap -= rounded;
}

void Fiber::save(std::vector<std::byte>& into) const {
  const auto* state = reinterpret_cast<const std::byte*>(&state_);
  into.insert(into.end(), state, state + sizeof state_);
  into.insert(into.end(), arena_, arena_ + state_.heap);
  into.insert(into.end(), arena_ + state_.stack, arena_ + arena_bytes);
}

const std::byte* Fiber::restore(const std::byte* from) {
  std::memcpy(&state_, from, sizeof state_);
  from += sizeof state_;
  std::memcpy(arena_, from, state_.heap);
  from += state_.heap;
  std::memcpy(arena_ + state_.stack, from, arena_bytes - state_.stack);
  return from + (arena_bytes - state_.stack);
}

std::uint64_t Fiber::hash(std::uint64_t seed) const {
  if (state_.done) return seed * 3 + 1;
  const std::uint64_t waiting = reinterpret_cast<std::uintptr_t>(state_.word) * 31 + state_.value;
  seed = hash_bytes(reinterpret_cast<const std::byte*>(&state_.context.uc_mcontext), sizeof state_.context.uc_mcontext,
                    seed ^ waiting);
  seed = hash_bytes(arena_, state_.heap, seed);
  return hash_bytes(arena_ + state_.stack, (arena_bytes - state_.stack) / 8 * 8, seed);
}

}  // namespace tutti::shm::interleaving

namespace tutti::shm {

void end_of_step(const std::atomic<std::uint64_t>* word, std::uint64_t value, const std::atomic<std::uint64_t>* other) {
  interleaving::running->suspend(word, value, other);
}

}  // namespace tutti::shm

void* operator new(std::size_t bytes) {
  using tutti::shm::interleaving::Fiber;
  if (Fiber* const fiber = Fiber::allocating()) return fiber->allocate(bytes);
  if (void* const memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { operator delete (memory, std::size_t{0}); }

void operator delete(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  for (auto& fiber : tutti::shm::interleaving::fibers())
    if (fiber.owns(memory)) return fiber.release(memory, bytes);
  std::free(memory);
}

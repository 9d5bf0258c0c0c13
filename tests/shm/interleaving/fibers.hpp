#pragma once
/// Members as fibers whose whole state, stack and heap, can be saved, compared and restored.
#include <ucontext.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace tutti::shm::interleaving {

/// Memory of one member: what it allocates from below, its stack from above.
class Fiber {
 public:
  static constexpr std::size_t arena_bytes = std::size_t{1} << 17;

  explicit Fiber(std::byte* arena) : arena_(arena) {}

  /// Nothing that it allocated lives any more.
  void clear() { state_.heap = 0; }
  /// `body` will run at the first `resume`.
  void begin(std::function<void()> body);
  /// Runs one step: to the next call of end_of_step, or to the end.
  void resume();
  bool done() const { return state_.done; }
  /// Whether what it waits for has come.
  bool ready() const {
    return !state_.done && (state_.word == nullptr || has_come(state_.word) || has_come(state_.other));
  }

  /// Runs `work` with its allocations in this member's memory.
  template <typename Work>
  void inside(Work work) {
    Fiber* const outer = std::exchange(allocating_, this);
    work();
    allocating_ = outer;
  }
  static Fiber* allocating() { return allocating_; }
  void* allocate(std::size_t bytes);
  void release(void* memory, std::size_t bytes);
  bool owns(const void* memory) const { return memory >= arena_ && memory < arena_ + arena_bytes; }

  /// The live parts: registers, heap, stack.
  void save(std::vector<std::byte>& into) const;
  /// The part of `from` that `save` wrote; returns what follows.
  const std::byte* restore(const std::byte* from);
  std::uint64_t hash(std::uint64_t seed) const;

  void suspend(const std::atomic<std::uint64_t>* word, std::uint64_t value, const std::atomic<std::uint64_t>* other);

 private:
  struct State {
    ucontext_t context;
    const std::atomic<std::uint64_t>*word, *other;
    std::uint64_t value;
    std::size_t heap, stack;  ///< bytes used from below; where the stack in use begins
    bool done;
  };
  static void run();
  bool has_come(const std::atomic<std::uint64_t>* word) const {
    return word != nullptr && word->load() >= state_.value;
  }

  static inline Fiber* allocating_ = nullptr;
  std::byte* arena_;
  State state_{};
  ucontext_t explorer_{};
  std::function<void()> body_;
};

/// All fibers' memory, side by side, so that deallocation finds the owner.
std::span<Fiber> fibers();

std::uint64_t hash_bytes(const std::byte* from, std::size_t bytes, std::uint64_t seed);

}  // namespace tutti::shm::interleaving

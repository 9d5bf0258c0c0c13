#include "task/switch.hpp"

#include <ucontext.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

extern "C" {
void tutti_task_switch(void** left, void* entered);
void tutti_task_entry();
}

namespace tutti {
namespace {

/// Where returns are checked against a shadow stack (Intel CET, in user space), a bare switch would fault; ucontext
/// keeps a shadow stack for each context.
[[maybe_unused]] bool has_shadow_stack() {
#if defined(__x86_64__)
  std::uint64_t pointer = 0;
  asm volatile("rdsspq %0" : "+r"(pointer));  // does nothing where there is none
  return pointer != 0;
#else
  return false;
#endif
}

/// Words that tutti_task_switch takes from a stack, and those that matter to tutti_task_entry.
#if defined(__x86_64__)
constexpr bool known = true;
constexpr std::size_t saved = 8, function_at = 5, argument_at = 4, return_at = 7;
#elif defined(__aarch64__)
constexpr bool known = true;
constexpr std::size_t saved = 22, function_at = 0, argument_at = 1, return_at = 11;
#else
constexpr bool known = false;
constexpr std::size_t saved = 0, function_at = 0, argument_at = 0, return_at = 0;
void tutti_task_switch(void**, void*) {}
#endif

ucontext_t& ucontext_of(StackContext& context) {
  if (!context.other) context.other = new ucontext_t{};
  return *static_cast<ucontext_t*>(context.other);
}

/// makecontext passes only ints.
void enter(unsigned high, unsigned low, unsigned argument_high, unsigned argument_low) {
  const auto joined = [](unsigned a, unsigned b) { return std::uintptr_t{a} << 32 | b; };
  reinterpret_cast<void (*)(void*)>(joined(high, low))(reinterpret_cast<void*>(joined(argument_high, argument_low)));
}

void prepare_ucontext(StackContext& into, std::byte* stack, std::size_t bytes, void (*entry)(void*), void* argument) {
  const auto halves = [](std::uintptr_t word) {
    return std::pair{static_cast<unsigned>(word >> 32), static_cast<unsigned>(word)};
  };
  ucontext_t& context = ucontext_of(into);
  ::getcontext(&context);
  context.uc_stack.ss_sp = stack, context.uc_stack.ss_size = bytes, context.uc_link = nullptr;
  const auto [high, low] = halves(reinterpret_cast<std::uintptr_t>(entry));
  const auto [argument_high, argument_low] = halves(reinterpret_cast<std::uintptr_t>(argument));
  ::makecontext(&context, reinterpret_cast<void (*)()>(enter), 4, high, low, argument_high, argument_low);
}

/// What tutti_task_switch expects to find, so that it returns to tutti_task_entry.
void prepare_registers(StackContext& into, std::byte* stack, std::size_t bytes, void (*entry)(void*), void* argument) {
  const auto end = reinterpret_cast<std::uintptr_t>(stack + bytes) / 16 * 16;
  auto* const words = reinterpret_cast<std::uintptr_t*>(end) - saved - saved % 2;
  std::memset(words, 0, saved * sizeof *words);
#if defined(__x86_64__)
  asm("stmxcsr %0" : "=m"(*reinterpret_cast<std::uint32_t*>(words)));
  asm("fnstcw %0" : "=m"(*(reinterpret_cast<std::uint16_t*>(words) + 2)));
  words[return_at] = reinterpret_cast<std::uintptr_t>(tutti_task_entry);
#elif defined(__aarch64__)
  words[return_at] = reinterpret_cast<std::uintptr_t>(tutti_task_entry);
#endif
  words[function_at] = reinterpret_cast<std::uintptr_t>(entry);
  words[argument_at] = reinterpret_cast<std::uintptr_t>(argument);
  into.top = words;
}

}  // namespace

StackContext::~StackContext() { delete static_cast<ucontext_t*>(other); }

Switching best_switching() {
  static const bool bare = known && !has_shadow_stack();
  return bare ? Switching::instructions : Switching::ucontext;
}

void prepare(StackContext& into, std::byte* stack, std::size_t bytes, void (*entry)(void*), void* argument,
             Switching how) {
  (how == Switching::instructions ? prepare_registers : prepare_ucontext)(into, stack, bytes, entry, argument);
}

void switch_context(StackContext& from, StackContext& to) {
  if (!from.other && !to.other) [[likely]]
    return tutti_task_switch(&from.top, to.top);
  ::swapcontext(&ucontext_of(from), &ucontext_of(to));
}

}  // namespace tutti

#include "runtime/plan/contests.hpp"

#include <array>
#include <chrono>

#include "runtime/communicator/active.hpp"
#include "runtime/communicator/agreement.hpp"
#include "runtime/communicator/synchronising.hpp"
#include "selection/online.hpp"

namespace tutti::runtime {
namespace {

/// Shorter calls are not tried: two readings of the clock, and one call in a hundred by the slower side, are more than
/// rules err by.
constexpr std::int64_t least_bytes = 4096;

std::int64_t now() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

/// One kind for all sizes of a class.
std::uint64_t kind_of(const CallSignature& signature) {
  return static_cast<std::uint64_t>(signature.collective) * 128 +
         static_cast<std::uint64_t>(size_class(signature.bytes));
}

}  // namespace

Contest* Contests::of(const State& state, const Operation& call, const CallSignature& signature, const Choice& choice) {
  const Active& active = *state.active;
  if (!choice.contested || active.online || !active.engine || signature.bytes < least_bytes) return nullptr;
  if (!synchronises(call, state.size)) return nullptr;
  return &all_.try_emplace(kind_of(signature), active.placement.shares_cpus).first->second;
}

Contest::Side Contests::next(State& state, Contest& contest) {
  running_ = nullptr;
  if (contest.due()) {
    std::array<std::int64_t, Contest::sides> times = contest.times();
    Agreement(state.comm, state.rank, state.size, nullptr).maximum(times);
    contest.decide(times);
  }
  const Contest::Side side = contest.next();
  if (!contest.timing()) {
    contest.pass();
    return side;
  }
  running_ = &contest;
  began_ = now();
  return side;
}

void Contests::finish() {
  if (!running_) return;
  running_->took(began_, now());
  running_ = nullptr;
}

}  // namespace tutti::runtime

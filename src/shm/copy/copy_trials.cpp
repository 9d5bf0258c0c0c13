#include "shm/copy/copy_trials.hpp"

#include <algorithm>

#include "clock/cycles.hpp"

namespace tutti::shm {
namespace {

constexpr double line = 64;

}  // namespace

void CopyTrials::begin(const Block& block, std::size_t least) {
  const std::size_t passes = 2 * block.bytes * static_cast<std::size_t>(members_ - 1);
  conclude_ring();
  const std::byte* const start = start_ != nullptr ? start_ : block.start;
  choices_.note_long_ring(rings_.in_long_ring());
  const auto found = choices_.of(pattern_, start, block.bytes, least, passes, members_);
  choice_ = found.choice, kind_ = found.kind, near_ = found.near;
  call_ = {};
  if (!learns_) return;
  choice_->begin();
  if (!choice_->timed() || trial_.choice != nullptr) return;
  call_.wanted = pattern_ == Pattern::all_to_all;
  if (call_.wanted) {
    call_.since = now();
    return;
  }
  trial_ = {choice_, static_cast<double>(block.bytes) / line, 0, 0};
  opens_ = true;
}

/// Members that share CPUs wait for one another's work, which is not this call's cost.
std::int64_t CopyTrials::now() const {
  return oversubscribed_ ? processor_time() : static_cast<std::int64_t>(cycle_count());
}

/// From here to the first block's arrival I may wait for a member that is late.
void CopyTrials::posted() {
  if (call_.wanted) call_.taken = now() - call_.since;
}

void CopyTrials::announce(RendezvousHeader& rendezvous, std::size_t bytes, PairwiseRings::Number last) {
  const bool on_ring = rendezvous.address == nullptr;
  rendezvous.timed = std::exchange(opens_, false);
  rendezvous.told = choice_ != nullptr ? choice_->told(kind_) : CopyChoice::Told{};
  if (on_ring) moves(bytes, false);
  if (rendezvous.timed && on_ring) trial_.last = last;
}

void CopyTrials::answered(const RendezvousHeader& rendezvous, double cycles) {
  if (rendezvous.is_copied()) trial_.choice->took(true, cycles / trial_.lines);
  trial_ = {};
}

void CopyTrials::heard(const RendezvousHeader& rendezvous, std::size_t bytes) {
  if (choice_ == nullptr) return;
  if (rendezvous.told.call != 0) choice_->heard(rendezvous.told, kind_);
  if (call_.wanted && !std::exchange(call_.heard, true)) call_.since = now();
  moves(bytes, rendezvous.address != nullptr);
}

void CopyTrials::close() {
  if (choice_ == nullptr || !learns_) return;
  conclude_call();
  choice_->end();
}

/// Called once the reader has read all of it, which may be some calls later.
void CopyTrials::conclude_ring() {
  if (trial_.choice == nullptr || trial_.last == 0 || !rings_.is_read(trial_.last)) return;
  const double theirs = rings_.cycles_of_reader(trial_.last);
  if (theirs != 0) trial_.choice->took(false, (trial_.cycles + theirs) / trial_.lines);
  trial_ = {};
}

/// A call that used both choices, because another member chose differently, measures neither.
void CopyTrials::conclude_call() {
  constexpr std::size_t little = 8;  // a part
  const auto [less, more] = std::minmax(call_.once, call_.on_rings);
  if (!call_.wanted || !call_.heard || more == 0 || less > more / little) return;
  const bool once = call_.once == more;
  // A line on a ring is written by one and read by another, each of which counts it.
  const double lines = static_cast<double>(more) / line / (once ? 1 : 2);
  choice_->took(once, static_cast<double>(call_.taken + now() - call_.since) / lines);
}

}  // namespace tutti::shm

#pragma once
/// Reductions of two members, each of which may read the other's contribution directly instead of from slots.
///
/// Between two cores of a mesh an allreduce of 64 to 256 KiB takes 0.6 of the time in this way where the cores' caches
/// hold the buffers, and up to 1.15 where they do not.  So one member chooses by measurement (copy_choice.hpp): the
/// root, else member 0.  With more members on two cores slots are faster.
///
/// The first turn publishes where each contribution lies, and the choice.  The second turn says that I have read all
/// that I need; I combine after it, while the other member continues.  If a member has no memory for what it reads, or
/// the kernel refuses, it says so, and both use the slots: no contribution has been overwritten by then.
///
/// In a reduce, the member that only contributes deposits its contribution where the root does not come, and leaves
/// (deposits.hpp); unless the root has begun.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shm/collectives/collectives.hpp"
#include "shm/copy/copy_choices.hpp"
#include "shm/copy/single_copy.hpp"
#include "shm/sync/slots.hpp"

namespace tutti::shm {

class PairReductions {
 public:
  /// Where it does not learn, choices stay as they begin.
  PairReductions(Slots& slots, SingleCopy& single_copy, bool learns)
      : slots_(slots), single_copy_(single_copy), learns_(learns) {}

  /// For reductions that may use either variant.  `in_slots` runs the one through slots.
  template <typename InSlots>
  void reduce(const Reduction& work, int reader, const Borders& borders, InSlots in_slots) {
    const bool all = reader == Slots::everybody;
    const Part part{work.in, work.out, 0, work.count, work.op, all || reader == slots_.me()};
    may_deposit_ = !all && slots_.deposits().hold(work.bytes());
    open(all ? Pattern::allreduce : Pattern::reduce, part, work.bytes(), all ? 0 : reader, borders);
    carry_out(part, in_slots);
  }
  template <typename InSlots>
  void reduce_scatter(const ReduceScatter& work, const Borders& borders, InSlots in_slots) {
    const std::size_t place = work.blocks.place(slots_.me()), count = work.blocks.count(slots_.me());
    const Part part{work.in, work.out, place * work.op.unit, count, work.op, count != 0};
    may_deposit_ = false;
    open(Pattern::reduce_scatter, part, work.blocks.total(2) * work.op.unit, 0, borders);
    carry_out(part, in_slots);
  }

 private:
  /// What a member combines: `count` elements, which begin `offset` bytes from the start of each contribution.
  struct Part {
    const std::byte* in;
    std::byte* out;
    std::size_t offset, count;
    const Reducer& op;
    bool reads;

    std::size_t bytes() const { return count * op.unit; }
    bool in_place() const { return in == out; }
  };
  /// In a member's slot, in either turn.
  struct Opening {
    const std::byte* start;  ///< of its contribution; null: it refuses
    std::size_t once;        ///< the choice, where it decides
  };
  /// Behind it in the slot of the member that may deposit.
  struct Offer {
    std::atomic<std::uint64_t> taken;  ///< by whoever comes first: the root, or the member that deposits
    Deposits::Position deposit;        ///< valid in the second case

    bool comes_first();
  };
  enum class Said : std::uint8_t { both, refused, forfeited, deposited };

  int other() const { return 1 - slots_.me(); }
  static std::size_t piece(const Part& part);
  void open(Pattern pattern, const Part& part, std::size_t bytes, int decider, const Borders& borders);
  Said exchange(const Opening& mine);
  Said conclude(Turn turn, const Opening& mine, const std::byte* heard);
  static Offer& offer(std::byte* slot) { return *reinterpret_cast<Offer*>(slot + sizeof(Opening)); }
  Said open_reduce(const Opening& mine, const Part& part);
  bool deposits(Turn turn, const Part& part, Offer& mine);
  bool once(const Part& part);
  bool read_at_once(const Part& part);
  bool read_in_pieces(const Part& part);
  void combine(const Part& part, std::size_t offset, std::size_t count, const std::byte* theirs, std::byte* into) const;
  void close(bool once);

  template <typename InSlots>
  void carry_out(const Part& part, InSlots in_slots) {
    if (said_ == Said::forfeited || said_ == Said::deposited) return;
    const bool done = goes_once_ && once(part);
    if (!done) in_slots();
    if (choice_ != nullptr && done == goes_once_) close(done);
  }

  Slots& slots_;
  SingleCopy& single_copy_;
  bool learns_;
  CopyChoices choices_;
  // Of the current call.
  CopyChoice* choice_ = nullptr;  ///< where I decide, by measurement
  std::size_t bytes_ = 0;
  std::uint64_t began_ = 0;  ///< the clock's cycles, where it is looked at
  std::byte* memory_ = nullptr;
  const std::byte* theirs_ = nullptr;
  bool goes_once_ = false, may_deposit_ = false;
  Said said_ = Said::both;
};

}  // namespace tutti::shm

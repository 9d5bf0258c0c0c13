#pragma once
/// One copy or two for the long blocks of an exchange, and the measurements behind it: a choice for each kind of call
/// (copy_choices.hpp), and at most one block, or call, whose copies are timed.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "shm/collectives/rendezvous_header.hpp"
#include "shm/copy/copy_choices.hpp"
#include "shm/sync/pairwise_rings.hpp"

namespace tutti::shm {

class CopyTrials {
 public:
  /// For one of so many members.  `oversubscribed`: they share CPUs.  Unless it `learns`, choices stay as they begin.
  CopyTrials(const PairwiseRings& rings, int members, bool oversubscribed, bool learns)
      : rings_(rings), members_(members), oversubscribed_(oversubscribed), learns_(learns) {}

  /// A turn begins.
  void open(Pattern pattern) { pattern_ = pattern, choice_ = nullptr, opens_ = false, start_ = nullptr; }
  /// Start of all that I send in the turn, if it is more than one block.
  void begins_at(const std::byte* start) { start_ = start; }
  /// Whether a block of mine, of at least so many bytes, is copied once.  The turn's first block determines the choice
  /// that the call belongs to.
  bool chooses_once(const Block& block, std::size_t least) {
    if (choice_ == nullptr) begin(block, least);
    return choice_->once();
  }
  /// Whether that block lies in the core's own caches, as far as is known.
  bool is_near() const { return choice_ != nullptr && near_; }
  /// All blocks of mine are announced.
  void posted();
  /// A block of mine has been announced: it takes the ring up to chunk `last`, or is copied once.
  void announce(RendezvousHeader& rendezvous, std::size_t bytes, PairwiseRings::Number last);
  /// Accumulates the cycles of copying a timed block onto the ring.
  double* cycles() { return &trial_.cycles; }
  /// My timed block has been answered; its cost, in cycles of both sides.
  void answered(const RendezvousHeader& rendezvous, double cycles);
  /// My timed block is deposited, which measures nothing.
  void dropped() { trial_ = {}; }
  /// Another's block has arrived; called before it is copied.
  void heard(const RendezvousHeader& rendezvous, std::size_t bytes);
  /// The turn has ended.
  void close();

 private:
  void begin(const Block& block, std::size_t least);
  void conclude_ring();
  void conclude_call();
  std::int64_t now() const;
  void moves(std::size_t bytes, bool once) { (once ? call_.once : call_.on_rings) += bytes; }

  /// The block whose copies are timed.
  struct Trial {
    CopyChoice* choice = nullptr;    ///< null: there is none
    double lines = 0, cycles = 0;    ///< of my copies onto the ring
    PairwiseRings::Number last = 0;  ///< its last chunk; 0: it is copied once
  };
  /// Time of a timed call in which all send to all, but for the wait until the first block has arrived.
  struct CallTime {
    bool wanted = false, heard = false;
    std::int64_t since = 0, taken = 0;   ///< where the part that runs began; the parts before
    std::size_t once = 0, on_rings = 0;  ///< bytes that I have copied
  };

  const PairwiseRings& rings_;
  int members_;
  bool oversubscribed_, learns_;
  CopyChoices choices_;
  Pattern pattern_ = Pattern::all_to_all;
  const std::byte* start_ = nullptr;
  CopyChoice* choice_ = nullptr;  ///< of this turn's blocks, if any has one
  std::uint32_t kind_ = 0;        ///< which one that is
  bool near_ = false;             ///< where the turn's first block lies
  bool opens_ = false;            ///< the block that is announced next is timed
  Trial trial_;
  CallTime call_;
};

}  // namespace tutti::shm

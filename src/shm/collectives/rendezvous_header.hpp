#pragma once
/// The content of a mailbox whose block does not lie in it.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shm/copy/copy_choice.hpp"
#include "shm/sync/deposits.hpp"
#include "shm/sync/pairwise_rings.hpp"

namespace tutti::shm {

/// Some bytes of this process.
struct Block {
  std::byte* start = nullptr;
  std::size_t bytes = 0;
};

/// Where a long block lies, in its writer's mailbox.
struct RendezvousHeader {
  /// In the order in which they may occur.  `open`: the reader copies.  `withdrawn`, instead of all the others: the
  /// writer has deposited the block and is gone.
  enum Answer : std::uint64_t { none, open, copied, refused, withdrawn };

  const std::byte* address;     ///< in the writer's memory; null: it takes the ring
  PairwiseRings::Number first;  ///< its first chunk on the writer's ring, also where the kernel refuses
  /// The reader's, or the writer's if it comes first.  Of a block on the ring: its last chunk that is deposited.
  std::atomic<std::uint64_t> answer;
  std::atomic<float> cycles;   ///< cycles of the reader's copy, before it answers; where it is timed
  bool timed;                  ///< the writer wants to know
  bool alone;                  ///< what is copied once the reader copies alone
  CopyChoice::Told told;       ///< by the writer, where it has decided
  Deposits::Position deposit;  ///< where the block would begin; valid once that is answered

  bool is_copied() const { return answer.load(std::memory_order_acquire) == copied; }
  /// The reader begins; or the writer takes the block back.  One of the two comes first.
  bool comes_first(Answer mine) {
    std::uint64_t found = none;
    return answer.compare_exchange_strong(found, mine, std::memory_order_acq_rel);
  }
};

/// The same of a block that both sides copy (joint_copy.hpp).
struct JointRendezvousHeader : RendezvousHeader {
  std::byte* target;                   ///< in the reader's memory, and
  std::size_t bytes;                   ///< how many go there: valid once it is open
  std::atomic<std::uint64_t> taken;    ///< pieces, by either side
  std::atomic<std::uint64_t> written;  ///< pieces that the writer has completed
  std::size_t read;                    ///< pieces that the reader has completed; private to it
  std::atomic<bool> failed;            ///< the kernel has refused one, on either side

  void clear();
};

}  // namespace tutti::shm

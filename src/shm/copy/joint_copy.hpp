#pragma once
/// A long block that its writer and its reader copy together: each takes the next piece that nobody has taken, the one
/// by process_vm_writev, the other by process_vm_readv.
///
/// That is for a root that all others have blocks for: alone it would copy one after the other.  It says in the
/// writer's rendezvous where the block goes; from then on both take pieces.  The answer is the reader's, once it knows
/// that all pieces are there, or that the kernel has refused one: then the whole block goes another way.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "shm/collectives/rendezvous_header.hpp"
#include "shm/copy/single_copy.hpp"
#include "shm/sync/slots.hpp"

namespace tutti::shm {

class JointCopy {
 public:
  JointCopy(Slots& slots, SingleCopy& single_copy, std::size_t piece)
      : slots_(slots), single_copy_(single_copy), piece_(piece) {}

  /// Of the writer, from where the reader has opened the block on.
  struct Cycles {
    double copying = 0, until_answered = 0;
  };
  /// The writer: takes part until no piece is left, and waits for the answer.  How long that took, where it is timed.
  Cycles write(JointRendezvousHeader& rendezvous, int reader);

  /// The reader: where the block goes.
  void open(JointRendezvousHeader& rendezvous, Block block);
  /// Takes part until no piece is left.  The cycles that took, where it is timed.
  double read(JointRendezvousHeader& rendezvous, int writer);
  /// Waits for the writer's pieces, and answers.
  void close(JointRendezvousHeader& rendezvous, int writer);

 private:
  /// Each is a call of the kernel, so that long blocks come in longer ones.
  std::size_t piece(const JointRendezvousHeader& rendezvous) const {
    constexpr std::size_t parts = 4, most = 8;
    return std::clamp(rendezvous.bytes / parts / piece_, std::size_t{1}, most) * piece_;
  }
  std::size_t pieces(const JointRendezvousHeader& rendezvous) const {
    return (rendezvous.bytes + piece(rendezvous) - 1) / piece(rendezvous);
  }
  /// The next piece that nobody has taken: `copy(offset, bytes)`.  False when none is left.
  template <typename Copy>
  bool take(JointRendezvousHeader& rendezvous, Copy copy) const;

  Slots& slots_;
  SingleCopy& single_copy_;
  std::size_t piece_;  ///< the shortest
};

}  // namespace tutti::shm

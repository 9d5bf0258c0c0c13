#pragma once
/// A long block that its writer and its reader copy together: each takes the next free piece, the writer by
/// process_vm_writev, the reader by process_vm_readv.
///
/// Used by a root that all others have blocks for: alone it would copy one after the other.  It writes the destination
/// into the rendezvous header; from then on both take pieces.  The reader answers once all pieces have arrived, or once
/// the kernel has refused one: then the whole block takes the ring.
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

  /// The writer: once the reader has opened the block, copies until no piece is left, and waits for the answer. Returns
  /// the cycles since it was open, where it is timed.
  double write(JointRendezvousHeader& rendezvous, int reader);

  /// The reader: publishes the destination.  False if the writer has taken the block back.
  bool open(JointRendezvousHeader& rendezvous, Block block);
  /// Copies until no piece is left.
  void read(JointRendezvousHeader& rendezvous, int writer);
  /// Waits for the writer's pieces, then answers.  `since`: the writer may ask for the cycles since then.
  void close(JointRendezvousHeader& rendezvous, int writer, std::uint64_t since);

 private:
  /// Bytes of a piece.  Each piece is a system call, so long blocks have longer pieces.
  std::size_t piece(const JointRendezvousHeader& rendezvous) const {
    constexpr std::size_t parts = 4, most = 8;
    return std::clamp(rendezvous.bytes / parts / piece_, std::size_t{1}, most) * piece_;
  }
  std::size_t pieces(const JointRendezvousHeader& rendezvous) const {
    return (rendezvous.bytes + piece(rendezvous) - 1) / piece(rendezvous);
  }
  /// Calls `copy(offset, bytes)` for the next free piece.  False when none is left.
  template <typename Copy>
  bool take(JointRendezvousHeader& rendezvous, Copy copy) const;

  Slots& slots_;
  SingleCopy& single_copy_;
  std::size_t piece_;  ///< the shortest
};

}  // namespace tutti::shm

#pragma once
/// A long block that its writer and its reader copy together: each takes the next piece that nobody has taken, the one
/// by process_vm_writev, the other by process_vm_readv.
///
/// That is for a root that all others have blocks for: alone it would copy one after the other.  It says in the
/// writer's notice where the block goes; from then on both take pieces.  The answer is the reader's, once it knows that
/// all pieces are there, or that the kernel has refused one: then the whole block goes another way.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "node/notice.hpp"
#include "node/single_copy.hpp"
#include "node/slots.hpp"

namespace tutti::node {

class JointCopy {
 public:
  JointCopy(Slots& slots, SingleCopy& single_copy, std::size_t piece)
      : slots_(slots), single_copy_(single_copy), piece_(piece) {}

  /// Of the writer, from where the reader has opened the block on.
  struct Cycles {
    double copying = 0, until_answered = 0;
  };
  /// The writer: takes part until no piece is left, and waits for the answer.  How long that took, where it is timed.
  Cycles write(JointNotice& notice, int reader);

  /// The reader: where the block goes.
  void open(JointNotice& notice, Block block);
  /// Takes part until no piece is left.  The cycles that took, where it is timed.
  double read(JointNotice& notice, int writer);
  /// Waits for the writer's pieces, and answers.
  void close(JointNotice& notice, int writer);

 private:
  /// Each is a call of the kernel, so that long blocks come in longer ones.
  std::size_t piece(const JointNotice& notice) const {
    constexpr std::size_t parts = 4, most = 8;
    return std::clamp(notice.bytes / parts / piece_, std::size_t{1}, most) * piece_;
  }
  std::size_t pieces(const JointNotice& notice) const { return (notice.bytes + piece(notice) - 1) / piece(notice); }
  /// The next piece that nobody has taken: `copy(offset, bytes)`.  False when none is left.
  template <typename Copy>
  bool take(JointNotice& notice, Copy copy) const;

  Slots& slots_;
  SingleCopy& single_copy_;
  std::size_t piece_;  ///< the shortest
};

}  // namespace tutti::node

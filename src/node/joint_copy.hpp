#pragma once
/// A long block that its writer and its reader copy together: each takes the next piece that nobody has taken, the one
/// by process_vm_writev, the other by process_vm_readv.
///
/// That is for a root that all others have blocks for: alone it would copy one after the other.  It says in the
/// writer's notice where the block goes; from then on both take pieces.  The answer is the reader's, once it knows that
/// all pieces are there, or that the kernel has refused one: then the whole block goes another way.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "node/lanes.hpp"
#include "node/single_copy.hpp"
#include "node/slots.hpp"

namespace tutti::node {

/// Some bytes of this process.
struct Block {
  std::byte* start = nullptr;
  std::size_t bytes = 0;
};

/// Where a long block lies, in its writer's desk.
struct Notice {
  /// In the order in which they may come.  `open`: of a joint copy alone.
  enum Answer : std::uint64_t { none, open, copied, refused };

  const std::byte* address;  ///< in the writer's memory; null: it takes the lane
  Lanes::Number first;       ///< its first chunk on the writer's lane, for that and for when the kernel refuses
  std::atomic<std::uint64_t> answer;  ///< the reader's

  bool is_copied() const { return answer.load(std::memory_order_acquire) == copied; }
};

struct JointNotice : Notice {
  std::byte* target;                   ///< in the reader's memory, and
  std::size_t bytes;                   ///< how many go there: valid once it is open
  std::atomic<std::uint64_t> taken;    ///< pieces, by either side
  std::atomic<std::uint64_t> written;  ///< pieces that the writer has done with
  std::size_t read;                    ///< pieces that the reader has done with; its own
  std::atomic<bool> failed;            ///< the kernel has refused one, on either side

  void clear();
};

class JointCopy {
 public:
  JointCopy(Slots& slots, SingleCopy& single_copy, std::size_t piece)
      : slots_(slots), single_copy_(single_copy), piece_(piece) {}

  /// The writer: takes part until no piece is left, and waits for the answer.
  void write(JointNotice& notice, int reader);

  /// The reader: where the block goes.
  void open(JointNotice& notice, Block block);
  /// Takes part until no piece is left.
  void read(JointNotice& notice, int writer);
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

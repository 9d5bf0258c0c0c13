#pragma once
/// Rotating sets of buffers, separate for each variant, whose contents change before a set is used again; or a single
/// set.
#include <cstddef>
#include <cstdint>

#include "bench/memory.hpp"

namespace tutti::bench {

struct Buffers {
  void* send = nullptr;
  void* receive = nullptr;
  int slot = 0;  ///< number of this set of this variant
};

/// Sets for two variants, laid out in turns in one allocation, so that both have the same alignment, the same kind of
/// pages and the same neighbours.  In two sets out of four the second variant's buffers lie before the first one's:
/// because of hardware prefetching, a variant that always followed the other upwards in memory would be some per cent
/// faster.
class BufferSets {
 public:
  static constexpr int variants = 2;

  /// Bytes of one set's two buffers on this rank.  `single`: one set, the same for both variants, so that a call finds
  /// in the caches what a program that calls again and again finds there.  One at a time in a memory.
  BufferSets(Memory& memory, std::int64_t send_bytes, std::int64_t receive_bytes, int ranks_on_node,
             bool single = false);

  int count() const { return count_; }
  bool shared() const { return single_; }
  std::int64_t footprint() const { return count_ * stride_; }
  Buffers operator()(int variant, int set) const;

 private:
  bool single_;
  std::int64_t send_stride_, stride_;
  int count_;
  std::byte* memory_;
};

/// How many sets of that stride: with both variants' the node's ranks together go through more than the last-level
/// cache before a set comes again, within 1 GiB a node; for small calls 64, since no count of small buffers fills a
/// cache. A power of two, at least 2.
int sets_for(std::int64_t stride, int ranks_on_node, std::int64_t cache_bytes);

}  // namespace tutti::bench

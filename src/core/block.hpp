#pragma once
/// Blocks: what steps name instead of bytes.
///
/// The data of a call is a row of *owners*: one owner (0) where all ranks share one vector (bcast, reduce,
/// allreduce, scan, exscan); one owner per rank elsewhere (allgather: who contributed; scatter, reduce_scatter:
/// who receives; alltoall: the destination in `input`, the source in `output`).  A vector may be cut into
/// balanced *parts*.  A Layout says at the call where an owner's elements lie, so one schedule serves every
/// count, datatype and v-form.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace tutti {

using Rank = int;

enum class Buffer : std::uint8_t {
  input,    ///< what the caller gave (send buffer); never written
  output,   ///< what the caller gets (receive buffer; the one buffer in bcast)
  scratch,  ///< areas that the schedule declares
  token,    ///< no bytes, only order (barriers)
};

/// A run of consecutive owners, or a run of consecutive parts of one owner.
struct Blocks {
  Buffer buffer = Buffer::output;
  int slot = 0;              ///< scratch: which declared area
  int first = 0, count = 1;  ///< owners [first, first + count); no wrap-around: use two runs
  int part = 0, parts = 1;   ///< parts [part, part + parts) ...
  int of = 1;                ///< ... of `of` balanced parts; count is 1 where of > 1

  bool operator==(const Blocks&) const = default;
};

constexpr Blocks input(int first, int count = 1) { return {Buffer::input, 0, first, count, 0, 1, 1}; }
constexpr Blocks output(int first, int count = 1) { return {Buffer::output, 0, first, count, 0, 1, 1}; }
constexpr Blocks scratch(int slot, int first, int count = 1) { return {Buffer::scratch, slot, first, count, 0, 1, 1}; }
constexpr Blocks token(int first, int count = 1) { return {Buffer::token, 0, first, count, 0, 1, 1}; }

/// Parts [part, part + parts) of `of` of one owner's block.
constexpr Blocks part(Blocks whole, int part, int of, int parts = 1) {
  whole.part = part, whole.parts = parts, whole.of = of;
  return whole;
}

/// The payload of one message or copy: runs, in order.  One or two runs need no heap.
class BlockList {
 public:
  BlockList(Blocks one) : size_(1) { inline_[0] = one; }  // NOLINT: a single run is the common payload
  BlockList(std::initializer_list<Blocks> runs) {
    for (const Blocks& run : runs) add(run);
  }
  BlockList() = default;

  void add(const Blocks& run) {
    if (size_ < inline_.size())
      inline_[size_] = run;
    else {
      if (size_ == inline_.size()) more_.assign(inline_.begin(), inline_.end());
      more_.push_back(run);
    }
    ++size_;
  }
  std::span<const Blocks> runs() const {
    return size_ <= inline_.size() ? std::span<const Blocks>(inline_.data(), size_) : std::span<const Blocks>(more_);
  }
  auto begin() const { return runs().begin(); }
  auto end() const { return runs().end(); }
  std::size_t size() const { return size_; }
  bool operator==(const BlockList& other) const {
    return size_ == other.size_ && std::equal(begin(), end(), other.begin());
  }

 private:
  std::array<Blocks, 2> inline_{};
  std::vector<Blocks> more_;
  std::size_t size_ = 0;
};

/// `count` owners from `first` on, modulo `size`: one run, or two where it wraps.
inline BlockList wrapped(Blocks like, int first, int count, int size) {
  first %= size;
  if (first < 0) first += size;
  like.first = first;
  if (first + count <= size) {
    like.count = count;
    return like;
  }
  like.count = size - first;
  Blocks rest = like;
  rest.first = 0, rest.count = first + count - size;
  return {like, rest};
}

}  // namespace tutti

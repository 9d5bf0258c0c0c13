#pragma once
/// Blocks between members, filled so that every wrong byte shows.
#include "crew.hpp"

namespace tutti::shm::test {

using Bytes = std::vector<unsigned char>;

/// Byte i of what `from` sends to `to` in a call; never 0, which stands around and in between.
inline unsigned char byte_of(int from, int to, int call, std::size_t i) {
  const auto mixed = static_cast<unsigned>(from) * 131U + static_cast<unsigned>(to) * 31U +
                     static_cast<unsigned>(call) * 17U + static_cast<unsigned>(i) * 7U + static_cast<unsigned>(i >> 8);
  return static_cast<unsigned char>(mixed % 255 + 1);
}

/// A member's side of a call: a block a member, with gaps between them.
class Rows {
 public:
  template <typename SizeOf>
  Rows(int size, SizeOf size_of, std::size_t gap = 5) {
    std::int64_t total = 0;
    for (int member = 0; member < size; ++member) {
      offsets_.push_back(total), sizes_.push_back(static_cast<std::int64_t>(size_of(member)));
      total += sizes_.back() + static_cast<std::int64_t>(gap);
    }
    bytes_.resize(static_cast<std::size_t>(total));
  }

  void fill(int member, int from, int to, int call, std::size_t most = std::numeric_limits<std::size_t>::max()) {
    for (std::size_t i = 0; i < std::min(most, size(member)); ++i)
      bytes_[begin(member) + i] = byte_of(from, to, call, i);
  }
  /// Wrong bytes of a block.
  int wrong(int member, int from, int to, int call) const {
    int bad = 0;
    for (std::size_t i = 0; i < size(member); ++i) bad += bytes_[begin(member) + i] != byte_of(from, to, call, i);
    return bad;
  }
  /// Bytes that are not 0 outside all blocks.
  int spilt() const {
    Bytes rest = bytes_;
    for (std::size_t member = 0; member < sizes_.size(); ++member)
      std::fill_n(rest.begin() + offsets_[member], sizes_[member], 0);
    int bad = 0;
    for (const unsigned char byte : rest) bad += byte != 0;
    return bad;
  }
  /// Nothing but zeros.
  bool empty() const {
    for (const unsigned char byte : bytes_)
      if (byte != 0) return false;
    return true;
  }
  bool operator==(const Rows&) const = default;

  Blocks blocks() { return {reinterpret_cast<std::byte*>(bytes_.data()), 0, offsets_.data(), sizes_.data()}; }
  /// The same where all blocks have one size and no gaps.
  Blocks equal() { return {reinterpret_cast<std::byte*>(bytes_.data()), size(0), nullptr, nullptr}; }

 private:
  std::size_t size(int member) const { return static_cast<std::size_t>(sizes_[static_cast<std::size_t>(member)]); }
  std::size_t begin(int member) const { return static_cast<std::size_t>(offsets_[static_cast<std::size_t>(member)]); }

  Bytes bytes_;
  std::vector<std::int64_t> offsets_, sizes_;
};

/// One call of each kind that moves blocks; what came out wrong on this member.  `size_of(from, to)`: bytes, for the
/// equal and the gathered kinds those of (from, from) or (0, 0).
class Movement {
 public:
  Movement(ShmGroup& group, int call, const Borders& borders) : group_(group), call_(call), borders_(borders) {}

  template <typename SizeOf>
  int gather(int root, SizeOf size_of, Sizes sizes = Sizes::own) const {
    const int me = group_.me(), size = group_.size();
    Rows rows(size, [&](int member) { return me == root || member == me ? size_of(member) : 0; });
    if (me != root) rows.fill(me, me, root, call_);
    const Rows before = rows;
    group_.gather(rows.blocks(), root, sizes, borders_);
    if (me != root) return rows != before;
    int bad = rows.spilt();
    for (int member = 0; member < size; ++member)
      if (member != me) bad += rows.wrong(member, member, root, call_);
    return bad;
  }

  template <typename SizeOf>
  int scatter(int root, SizeOf size_of, Sizes sizes) const {
    const int me = group_.me(), size = group_.size();
    const bool equal = sizes == Sizes::equal;
    Rows rows(
        size, [&](int member) { return equal || me == root || member == me ? size_of(member) : 0; }, equal ? 0 : 5);
    for (int member = 0; me == root && member < size; ++member) rows.fill(member, root, member, call_);
    const Rows before = rows;
    group_.scatter(equal ? rows.equal() : rows.blocks(), root, sizes, borders_);
    if (me == root) return rows != before;
    return rows.wrong(me, root, me, call_) + (equal ? 0 : rows.spilt());
  }

  template <typename SizeOf>
  int allgather(SizeOf size_of, bool equal) const {
    const int me = group_.me(), size = group_.size();
    Rows rows(size, size_of, equal ? 0 : 5);
    rows.fill(me, me, 0, call_);
    group_.allgather(equal ? rows.equal() : rows.blocks(), borders_);
    int bad = rows.spilt();
    for (int member = 0; member < size; ++member) bad += rows.wrong(member, member, 0, call_);
    return bad;
  }

  /// `size_of(from, to)`.
  template <typename SizeOf>
  int alltoall(SizeOf size_of, Sizes sizes) const {
    const int me = group_.me(), size = group_.size();
    const bool equal = sizes == Sizes::equal;
    Rows in(
        size, [&](int to) { return size_of(me, to); }, equal ? 0 : 5);
    Rows out(
        size, [&](int from) { return size_of(from, me); }, equal ? 0 : 5);
    for (int to = 0; to < size; ++to) in.fill(to, me, to, call_);
    const Rows before = in;
    if (equal)
      group_.alltoall(in.equal(), out.equal(), sizes, borders_);
    else
      group_.alltoall(in.blocks(), out.blocks(), sizes, borders_);
    int bad = out.spilt() + (in != before);
    for (int from = 0; from < size; ++from)
      if (from != me) bad += out.wrong(from, from, me, call_);
    return bad;
  }

  /// An alltoallv in which member 2 expects `expected` bytes from member 1, whatever comes.
  template <typename SizeOf>
  int mismatch(SizeOf size_of, std::size_t expected) const {
    const int me = group_.me(), size = group_.size();
    const auto expects = [&](int from) { return me == 2 && from == 1 ? expected : size_of(from, me); };
    Rows in(size, [&](int to) { return size_of(me, to); });
    Rows out(size, expects), right(size, expects);
    for (int to = 0; to < size; ++to) in.fill(to, me, to, call_);
    const bool fitted = group_.alltoall(in.blocks(), out.blocks(), Sizes::own, borders_) != Ending::cut;
    for (int from = 0; from < size; ++from)
      if (from != me) right.fill(from, from, me, call_, size_of(from, me));
    return (out != right) + (fitted != (me != 2 || expected >= size_of(1, 2)));
  }

  int bcast(int root, std::size_t bytes) const {
    Rows row(1, [&](int) { return bytes; });
    if (group_.me() == root) row.fill(0, root, 0, call_);
    group_.bcast(row.blocks().start, bytes, root, borders_);
    return row.wrong(0, root, 0, call_) + row.spilt();
  }

 private:
  ShmGroup& group_;
  int call_;
  Borders borders_;
};

}  // namespace tutti::shm::test

#pragma once
/// Layouts: where blocks lie, in elements.  An element is a byte of packed data where data only moves, and one
/// element of the call's datatype where it is reduced.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/block.hpp"

namespace tutti {

struct Extent {
  std::int64_t offset = 0, length = 0;  ///< elements
};

/// The caller's array of counts or displacements, viewed in the width it was given in, never copied.
class CountView {
 public:
  CountView() = default;
  explicit CountView(const int* narrow) : data_(narrow) {}
  /// 64-bit integers of any of C's types (MPI_Count, MPI_Aint).
  static CountView wide(const void* data) {
    CountView view;
    view.data_ = data, view.wide_ = true;
    return view;
  }
  std::int64_t operator[](int i) const {
    if (!wide_) return static_cast<const int*>(data_)[i];
    std::int64_t value;
    std::memcpy(&value, static_cast<const std::byte*>(data_) + static_cast<std::size_t>(i) * sizeof value,
                sizeof value);
    return value;
  }
  explicit operator bool() const { return data_ != nullptr; }
  bool is_wide() const { return wide_; }
  /// Null where they are wide.
  const int* ints() const { return wide_ ? nullptr : static_cast<const int*>(data_); }
  const void* data() const { return data_; }

 private:
  const void* data_ = nullptr;
  bool wide_ = false;
};

/// Part i of n of m elements: balanced, the first m mod n parts hold one element more.
constexpr Extent balanced(std::int64_t elements, int part, int parts, int of) {
  const std::int64_t base = elements / of, more = elements % of;
  const auto start = [&](int i) { return i * base + (i < more ? i : more); };
  return {start(part), start(part + parts) - start(part)};
}

/// One buffer's owners: sizes and places.
class Layout {
 public:
  /// `owners` blocks of `block` elements, one after the other.  A vector is regular(1, count).
  static Layout regular(int owners, std::int64_t block) { return Layout(owners, block, {}, {}, 1); }
  /// Counts (times `unit` elements) and displacements (times `unit` elements; packed back to back if absent).
  static Layout irregular(int owners, CountView counts, CountView displacements, std::int64_t unit) {
    return Layout(owners, 0, counts, displacements, unit);
  }

  int owners() const { return owners_; }
  bool is_regular() const { return !counts_; }
  std::int64_t size(int owner) const { return counts_ ? counts_[owner] * unit_ : block_; }
  /// Elements from the buffer's start to the owner's block.  Packed irregular layouts: O(owner).
  std::int64_t offset(int owner) const {
    if (!counts_) return owner * block_;
    if (displacements_) return displacements_[owner] * unit_;
    std::int64_t sum = 0;
    for (int i = 0; i < owner; ++i) sum += size(i);
    return sum;
  }
  /// Elements of the owners [first, first + count).
  std::int64_t total(int first, int count) const {
    if (!counts_) return count * block_;
    std::int64_t sum = 0;
    for (int i = first; i < first + count; ++i) sum += size(i);
    return sum;
  }
  std::int64_t total() const { return total(0, owners_); }
  /// Elements that the blocks hold.
  std::int64_t length(const Blocks& what) const {
    if (what.buffer == Buffer::token) return 0;
    return what.of == 1 ? total(what.first, what.count)
                        : balanced(size(what.first), what.part, what.parts, what.of).length;
  }

 private:
  Layout(int owners, std::int64_t block, CountView counts, CountView displacements, std::int64_t unit)
      : owners_(owners), block_(block), counts_(counts), displacements_(displacements), unit_(unit) {}
  int owners_;
  std::int64_t block_;
  CountView counts_, displacements_;
  std::int64_t unit_;
};

/// The two sides of a call.  Where a collective has one buffer or one shape, both are the same.
struct Layouts {
  Layout input, output;
};

}  // namespace tutti

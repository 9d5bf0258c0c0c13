#pragma once
/// Contents of buffers, and what a right result looks like.
///
/// Element i of a block holds table[(i + phase) mod 251].  The period is prime, so that a block shifted by any
/// power-of-two segment differs; a phase made from ranks and repetition makes blocks differ from each other and a
/// stale result from a fresh one.  Values and their sums over 65 536 ranks are exact in a 4-byte float.
#include <array>
#include <cstdint>

namespace tutti::bench {

inline constexpr int period = 251;

/// Phase of the block that `from` contributes for `to` in repetition `repetition`; non-negative arguments.
constexpr int phase_of(std::int64_t from, std::int64_t to, std::int64_t repetition) {
  return static_cast<int>((17 * (from % period) + 29 * (to % period) + 31 * (repetition % period)) % period);
}

template <typename T>
class Pattern {
 public:
  using Table = std::array<T, period>;
  explicit Pattern(const Table& table);
  void fill(T* block, std::int64_t count, std::int64_t phase) const;
  bool matches(const T* block, std::int64_t count, std::int64_t phase) const;

 private:
  std::array<T, 2 * period> twice_;  ///< so that a whole period lies in one piece from any phase on
};

extern template class Pattern<unsigned char>;
extern template class Pattern<float>;

/// table[i] = i: what ranks send.
template <typename T>
Pattern<T> contribution();

/// The sum over ranks first..last-1 of what they contribute at phase_of(rank, 0, 0).
Pattern<float> sum_of_contributions(int first, int last);

}  // namespace tutti::bench

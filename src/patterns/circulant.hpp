#pragma once
/// Circulant graphs: in round k every rank v sends to v + s_k and receives from v - s_k (mod p), with skips s_0 = 1,
/// s_k = ceil(s_{k+1} / 2), s_q = p and q = ceil(lg p).  Träff, arXiv 2407.18004 (TOPC 2025).
///
/// The schedules say which block goes over which edge when n blocks are broadcast from rank 0 in the optimal n - 1 + q
/// rounds.  A table of q entries serves any n; `CirculantRounds` turns entries into block numbers.  With one table a
/// root, the same rounds carry an allgather, of irregular counts too; backwards, they reduce.
#include <array>

#include "core/block.hpp"
#include "patterns/power.hpp"

namespace tutti {

class CirculantGraph {
 public:
  /// One entry a round: in its phase i (of q rounds) a rank receives, or sends, block `entry + i q` in round k.
  using Table = std::array<int, 32>;

  /// `strictly_decreasing` is essential, see `receives`; tests take it away to see the verifier notice.
  explicit constexpr CirculantGraph(int size, bool strictly_decreasing = true)
      : size_(size), rounds_(ceil_log2(size)), strictly_decreasing_(strictly_decreasing) {
    int skip = size;
    for (int k = rounds_; k >= 0; --k, skip = (skip + 1) / 2) skips_[static_cast<std::size_t>(k)] = skip;
  }

  constexpr int size() const { return size_; }
  constexpr int rounds() const { return rounds_; }
  constexpr int skip(int k) const { return skips_[static_cast<std::size_t>(k)]; }
  constexpr Rank ahead(Rank v, int k) const { return v + skip(k) < size_ ? v + skip(k) : v + skip(k) - size_; }
  constexpr Rank behind(Rank v, int k) const { return v >= skip(k) ? v - skip(k) : v - skip(k) + size_; }

  /// The least skip of those that v is the greedy sum of; q for rank 0.  The first block that v receives.
  constexpr int base_block(Rank v) const {
    for (int k = rounds_ - 1; k >= 0; --k) {
      if (v < skip(k)) continue;
      v -= skip(k);
      if (v == 0) return k;
    }
    return rounds_;
  }

  constexpr Table receives(Rank v) const;
  /// What v sends in round k is what the rank s_k ahead receives: O(lg^2 p).
  constexpr Table sends(Rank v) const {
    Table table{};
    for (int k = 0; k < rounds_; ++k)
      table[static_cast<std::size_t>(k)] = receives(ahead(v, k))[static_cast<std::size_t>(k)];
    return table;
  }

 private:
  int size_, rounds_;
  bool strictly_decreasing_;
  Table skips_{};
};

/// The numbers q, q-1, …, 0 that have not been taken, as a linked list.
class Untaken {
 public:
  explicit constexpr Untaken(int most) : most_(most) {
    for (int i = 0; i <= most; ++i) below_[at(i)] = i - 1, above_[at(i)] = i + 1;
  }
  constexpr void take(int i) {
    if (above_[at(i)] <= most_) below_[at(above_[at(i)])] = below_[at(i)];
    if (below_[at(i)] >= 0) above_[at(below_[at(i)])] = above_[at(i)];
  }
  /// The next smaller one, or -1.  A number that was taken keeps its neighbour.
  constexpr int below(int i) const { return below_[at(i)]; }

 private:
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int most_;
  CirculantGraph::Table below_{}, above_{};
};

/// A depth-first walk over decreasing sums of skips, O(lg p) steps: in round k, v takes the largest base block that it
/// has not taken among the ranks v - s_{k+1} + 1, …, v - s_k.  The sums that it accepts must strictly decrease: without
/// that condition, which an implementation in circulation lacks, the tables of p = 33, 65, 66, … contradict each other.
constexpr CirculantGraph::Table CirculantGraph::receives(Rank v) const {
  Table table{}, path{};  // path: the skips whose sum is `sum`
  Untaken untaken(rounds_);
  const int base = base_block(v);
  untaken.take(base);
  int depth = 1, entry = rounds_, sum = size_, last = 3 * size_;
  path[0] = rounds_;
  const auto step_back = [&] { sum -= skip(path[static_cast<std::size_t>(--depth)]); };
  for (int k = 0; k < rounds_;) {
    const int low = v + size_ - skip(k + 1), below_last = strictly_decreasing_ ? last - 1 : 3 * size_;
    const int high = v + size_ - skip(k) < below_last ? v + size_ - skip(k) : below_last;
    if (sum < low || (sum == low && untaken.below(entry) >= 0)) {
      entry = untaken.below(entry);
      sum += skip(entry);
      path[static_cast<std::size_t>(depth++)] = entry;
    } else if (sum > high) {
      step_back();
    } else {
      entry = path[static_cast<std::size_t>(depth - 1)];
      table[static_cast<std::size_t>(k++)] = entry == rounds_ ? base : entry - rounds_;
      untaken.take(entry);
      last = sum;
      step_back();
    }
  }
  return table;
}

/// The n - 1 + q rounds that carry n blocks: q rounds a phase, the first one cut short so that the last is complete.
class CirculantRounds {
 public:
  constexpr CirculantRounds(const CirculantGraph& graph, int blocks)
      : q_(graph.rounds()), blocks_(blocks), skipped_(q_ == 0 ? 0 : (q_ - (blocks - 1) % q_) % q_) {}

  constexpr int count() const { return q_ == 0 ? 0 : blocks_ - 1 + q_; }
  /// The round of the graph.
  constexpr int graph_round(int i) const { return (i + skipped_) % q_; }
  /// The block that a table's entry for that round stands for, or -1 for none.
  constexpr int block(const CirculantGraph::Table& table, int i) const {
    const int number = table[static_cast<std::size_t>(graph_round(i))] + (i + skipped_) / q_ * q_ - skipped_;
    return number < 0 ? -1 : number < blocks_ ? number : blocks_ - 1;
  }

 private:
  int q_, blocks_, skipped_;
};

}  // namespace tutti

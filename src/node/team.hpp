#pragma once
/// A team: the ranks of one communicator that share a node, and the collectives they run on shared memory.
/// Every member makes the same calls in the same order.  Not for two threads at once (MPI forbids that as well).
#include <cstddef>
#include <cstdint>
#include <memory>

#include "node/reducer.hpp"
#include "node/segment.hpp"

namespace tutti::node {

/// Called while waiting, after about 10 us and then at an interval from its measured cost: makes MPI progress.
struct Poke {
  void (*call)(void* context) = nullptr;
  void* context = nullptr;
};

struct TeamOptions {
  int me = 0, size = 1;
  int cpus = 1;                  ///< CPUs in the affinity masks of the members, together; the same number on all
  std::size_t chunk = 8 * 1024;  ///< bytes of one slot of one member
  /// A reduction's work is shared where that spares each member the combining of this many bytes; it costs one more
  /// synchronisation.  0: where it pays by what that costs with these members on these CPUs.
  std::size_t stripe_from = 0;
  Poke poke;
};

/// Elements of each member's block: `each`, or its entry in `counts`.
struct Shares {
  std::size_t each = 0;
  const std::int64_t* counts = nullptr;

  std::size_t count(int member) const { return counts != nullptr ? static_cast<std::size_t>(counts[member]) : each; }
  /// Elements before the member's block.
  std::size_t first(int member) const {
    if (counts == nullptr) return each * static_cast<std::size_t>(member);
    std::size_t sum = 0;
    for (int i = 0; i < member; ++i) sum += count(i);
    return sum;
  }
  std::size_t total(int size) const { return first(size); }
  std::size_t most(int size) const {
    if (counts == nullptr) return each;
    std::size_t longest = 0;
    for (int i = 0; i < size; ++i) longest = count(i) > longest ? count(i) : longest;
    return longest;
  }
};

class Team {
 public:
  /// Bytes that the shared segment needs for this team.
  static std::size_t bytes(const TeamOptions& options);
  /// The segment must hold `bytes(options)` zeros at first, the same on every member.
  Team(Segment segment, const TeamOptions& options);
  ~Team();
  Team(const Team&) = delete;

  void barrier();
  /// `bytes` from the root's buffer to everybody's.
  void bcast(void* buffer, std::size_t bytes, int root);
  /// Order-preserving: member 0 (+) member 1 (+) ...  `out` counts at the root alone.  `in == out` is in place.
  void reduce(const void* in, void* out, std::size_t count, const Reducer& op, int root);
  /// As reduce, to everybody, with identical bits.
  void allreduce(const void* in, void* out, std::size_t count, const Reducer& op);

  /// Member i gets block i of the reduction of everybody's blocks, which lie back to back.  `out` is apart from `in`.
  void reduce_scatter(const void* in, void* out, const Shares& blocks, const Reducer& op);
  /// Member i gets member 0 (+) ... (+) member i; `in == out` is in place.
  void scan(const void* in, void* out, std::size_t count, const Reducer& op);
  /// ... (+) member i - 1; member 0's `out` stays as it is.
  void exscan(const void* in, void* out, std::size_t count, const Reducer& op);

  int size() const;
  int me() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tutti::node

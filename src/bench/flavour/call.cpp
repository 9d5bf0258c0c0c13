#include "bench/flavour/call.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace tutti::bench {

namespace {

/// What the ranks before and with this one have contributed, where the result differs by rank.
Pattern<float> expected_sum(Collective which, int rank, int size) {
  if (which == Collective::scan) return sum_of_contributions(0, rank + 1);
  if (which == Collective::exscan) return sum_of_contributions(0, rank);
  return sum_of_contributions(0, size);
}

struct Shape {
  std::int64_t send, receive;  ///< elements of this rank's buffers
};

/// `one`: the call's count; `all`: that for every rank.
Shape shape_of(Collective which, std::int64_t one, std::int64_t all, bool at_root) {
  using enum Collective;
  if (which == barrier) return {0, 0};
  if (which == bcast) return {0, one};
  if (which == gather || which == gatherv) return {one, at_root ? all : 0};
  if (which == scatter || which == scatterv) return {at_root ? all : 0, one};
  if (which == allgather || which == allgatherv) return {one, all};
  if (which == alltoall || which == alltoallv || which == alltoallw) return {all, all};
  if (which == reduce) return {one, at_root ? one : 0};
  if (which == reduce_scatter_block) return {all, one};
  return {one, one};
}

int checked_count(std::int64_t elements, int blocks) {
  constexpr std::int64_t most = 0x7fffffff;
  if (elements * blocks > most) throw std::invalid_argument("the size is more than an int counts at this many ranks");
  return static_cast<int>(elements);
}

}  // namespace

bool Call::synchronising(Collective which) {
  using enum Collective;
  return !rooted(which) && which != scan && which != exscan;
}

Call::Call(const Case& what, MPI_Comm comm)
    : collective_(what.collective),
      invoke_(invoker(what.collective)),
      bytes_(contribution<unsigned char>()),
      floats_(contribution<float>()),
      sum_(floats_) {
  arguments_.comm = comm;
  PMPI_Comm_rank(comm, &rank_);
  PMPI_Comm_size(comm, &size_);
  element_ = reduces(collective_) ? static_cast<int>(sizeof(float)) : 1;
  if (reduces(collective_)) sum_ = expected_sum(collective_, rank_, size_);
  const std::int64_t elements = reduces(collective_) ? std::max<std::int64_t>(1, what.bytes / element_) : what.bytes;
  arguments_.count = checked_count(elements, size_);
  shape();
}

/// How many elements this rank sends and receives, and in which blocks.
void Call::shape() {
  auto& [comm, count, counts, displacements, types] = arguments_;
  const Shape shape = shape_of(collective_, count, std::int64_t{count} * size_, rank_ == root);
  send_elements_ = shape.send;
  receive_elements_ = shape.receive;
  counts.assign(size_, count);
  if (collective_ ==
      Collective::reduce_scatter) {  // the size is the whole vector's; the first blocks take what is over
    for (int i = 0; i < size_; ++i) counts[i] = count / size_ + (i < count % size_ ? 1 : 0);
    receive_elements_ = counts[rank_];
  }
  displacements.resize(size_);
  std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), 0);
  types.assign(size_, MPI_BYTE);
}

void Call::fill(Buffers buffers, std::int64_t repetition) const {
  using enum Collective;
  if (reduces(collective_)) {
    floats_.fill(static_cast<float*>(buffers.send), send_elements_, phase_of(rank_, 0, repetition));
    return;
  }
  auto* send = static_cast<unsigned char*>(buffers.send);
  if (collective_ == bcast) {
    if (rank_ == root)
      bytes_.fill(static_cast<unsigned char*>(buffers.receive), arguments_.count, phase_of(root, 0, repetition));
  } else if (send_elements_ == arguments_.count) {  // one block, the same for every peer
    bytes_.fill(send, arguments_.count, phase_of(rank_, 0, repetition));
  } else {
    for (int peer = 0; peer < size_ && send_elements_ > 0; ++peer)
      bytes_.fill(send + arguments_.displacements[peer], arguments_.count, phase_of(rank_, peer, repetition));
  }
}

bool Call::right(Buffers buffers, std::int64_t repetition) const {
  using enum Collective;
  if (collective_ == barrier || receive_elements_ == 0) return true;
  if (reduces(collective_)) return sum_is_right(static_cast<const float*>(buffers.receive), repetition);
  const auto* output = static_cast<const unsigned char*>(buffers.receive);
  if (collective_ == bcast) return bytes_.matches(output, arguments_.count, phase_of(root, 0, repetition));
  const bool personal = collective_ == scatter || collective_ == scatterv || collective_ == alltoall ||
                        collective_ == alltoallv || collective_ == alltoallw;
  const int to = personal ? rank_ : 0;
  if (collective_ == scatter || collective_ == scatterv)
    return bytes_.matches(output, arguments_.count, phase_of(root, to, repetition));
  for (int from = 0; from < size_; ++from)
    if (!bytes_.matches(output + arguments_.displacements[from], arguments_.count, phase_of(from, to, repetition)))
      return false;
  return true;
}

bool Call::sum_is_right(const float* output, std::int64_t repetition) const {
  using enum Collective;
  if (collective_ == exscan && rank_ == 0) return true;  // its result is undefined
  const bool scattered = collective_ == reduce_scatter || collective_ == reduce_scatter_block;
  const std::int64_t first = scattered ? arguments_.displacements[rank_] : 0;
  return sum_.matches(output, receive_elements_, phase_of(0, 0, repetition) + first);
}

}  // namespace tutti::bench

#include "bench/flavour/call.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

namespace tutti::bench {

namespace {

constexpr int root = 0;

/// What the ranks before and with this one have contributed, where the result differs by rank.
Pattern<float> expected_sum(Collective which, int rank, int size) {
  if (which == Collective::scan) return sum_of_contributions(0, rank + 1);
  if (which == Collective::exscan) return sum_of_contributions(0, rank);
  return sum_of_contributions(0, size);
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

Call::Invoke invoker(Collective which) {
  // In the order of Collective.
  static constexpr std::array<Call::Invoke, collective_names.size()> table = {
      [](auto& mpi, auto& c, Buffers) { mpi.Barrier(c.comm_); },
      [](auto& mpi, auto& c, Buffers b) { mpi.Bcast(b.receive, c.count_, MPI_BYTE, root, c.comm_); },
      [](auto& mpi, auto& c, Buffers b) {
        mpi.Gather(b.send, c.count_, MPI_BYTE, b.receive, c.count_, MPI_BYTE, root, c.comm_);
      },
      [](auto& mpi, auto& c, Buffers b) {
        mpi.Gatherv(b.send, c.count_, MPI_BYTE, b.receive, c.counts_.data(), c.displacements_.data(), MPI_BYTE, root,
                    c.comm_);
      },
      [](auto& mpi, auto& c, Buffers b) {
        mpi.Scatter(b.send, c.count_, MPI_BYTE, b.receive, c.count_, MPI_BYTE, root, c.comm_);
      },
      [](auto& mpi, auto& c, Buffers b) {
        mpi.Scatterv(b.send, c.counts_.data(), c.displacements_.data(), MPI_BYTE, b.receive, c.count_, MPI_BYTE, root,
                     c.comm_);
      },
      [](auto& mpi, auto& c, Buffers b) {
        mpi.Allgather(b.send, c.count_, MPI_BYTE, b.receive, c.count_, MPI_BYTE, c.comm_);
      },
      [](auto& mpi, auto& c, Buffers b) {
        mpi.Allgatherv(b.send, c.count_, MPI_BYTE, b.receive, c.counts_.data(), c.displacements_.data(), MPI_BYTE,
                       c.comm_);
      },
      [](auto& mpi, auto& c, Buffers b) {
        mpi.Alltoall(b.send, c.count_, MPI_BYTE, b.receive, c.count_, MPI_BYTE, c.comm_);
      },
      [](auto& mpi, auto& c, Buffers b) {
        mpi.Alltoallv(b.send, c.counts_.data(), c.displacements_.data(), MPI_BYTE, b.receive, c.counts_.data(),
                      c.displacements_.data(), MPI_BYTE, c.comm_);
      },
      [](auto& mpi, auto& c, Buffers b) {
        mpi.Alltoallw(b.send, c.counts_.data(), c.displacements_.data(), c.types_.data(), b.receive, c.counts_.data(),
                      c.displacements_.data(), c.types_.data(), c.comm_);
      },
      [](auto& mpi, auto& c, Buffers b) { mpi.Reduce(b.send, b.receive, c.count_, MPI_FLOAT, MPI_SUM, root, c.comm_); },
      [](auto& mpi, auto& c, Buffers b) { mpi.Allreduce(b.send, b.receive, c.count_, MPI_FLOAT, MPI_SUM, c.comm_); },
      [](auto& mpi, auto& c, Buffers b) {
        mpi.Reduce_scatter(b.send, b.receive, c.counts_.data(), MPI_FLOAT, MPI_SUM, c.comm_);
      },
      [](auto& mpi, auto& c, Buffers b) {
        mpi.Reduce_scatter_block(b.send, b.receive, c.count_, MPI_FLOAT, MPI_SUM, c.comm_);
      },
      [](auto& mpi, auto& c, Buffers b) { mpi.Scan(b.send, b.receive, c.count_, MPI_FLOAT, MPI_SUM, c.comm_); },
      [](auto& mpi, auto& c, Buffers b) { mpi.Exscan(b.send, b.receive, c.count_, MPI_FLOAT, MPI_SUM, c.comm_); },
  };
  return table[static_cast<std::size_t>(which)];
}

Call::Call(const Case& what, MPI_Comm comm)
    : collective_(what.collective),
      comm_(comm),
      invoke_(invoker(what.collective)),
      bytes_(contribution<unsigned char>()),
      floats_(contribution<float>()),
      sum_(floats_) {
  PMPI_Comm_rank(comm, &rank_);
  PMPI_Comm_size(comm, &size_);
  element_ = reduces(collective_) ? static_cast<int>(sizeof(float)) : 1;
  if (reduces(collective_)) sum_ = expected_sum(collective_, rank_, size_);
  const std::int64_t elements = reduces(collective_) ? std::max<std::int64_t>(1, what.bytes / element_) : what.bytes;
  count_ = checked_count(elements, size_);
  shape();
}

/// How many elements this rank sends and receives, and in which blocks.
void Call::shape() {
  using enum Collective;
  const bool me_root = rank_ == root;
  const std::int64_t one = count_, all = one * size_;
  counts_.assign(size_, count_);
  switch (collective_) {
    case barrier:
      break;
    case bcast:
      receive_elements_ = one;
      break;
    case gather:
    case gatherv:
      send_elements_ = one;
      receive_elements_ = me_root ? all : 0;
      break;
    case scatter:
    case scatterv:
      send_elements_ = me_root ? all : 0;
      receive_elements_ = one;
      break;
    case allgather:
    case allgatherv:
      send_elements_ = one;
      receive_elements_ = all;
      break;
    case alltoall:
    case alltoallv:
    case alltoallw:
      send_elements_ = receive_elements_ = all;
      break;
    case reduce:
      send_elements_ = one;
      receive_elements_ = me_root ? one : 0;
      break;
    case allreduce:
    case scan:
    case exscan:
      send_elements_ = receive_elements_ = one;
      break;
    case reduce_scatter_block:
      send_elements_ = all;
      receive_elements_ = one;
      break;
    case reduce_scatter:  // the size is the whole vector's; the first blocks take the remainder
      for (int i = 0; i < size_; ++i) counts_[i] = count_ / size_ + (i < count_ % size_ ? 1 : 0);
      send_elements_ = one;
      receive_elements_ = counts_[rank_];
      break;
  }
  displacements_.resize(size_);
  std::exclusive_scan(counts_.begin(), counts_.end(), displacements_.begin(), 0);
  types_.assign(size_, MPI_BYTE);
}

void Call::fill(Buffers buffers, std::int64_t repetition) const {
  using enum Collective;
  if (reduces(collective_)) {
    floats_.fill(static_cast<float*>(buffers.send), send_elements_, phase_of(rank_, 0, repetition));
    return;
  }
  auto* send = static_cast<unsigned char*>(buffers.send);
  if (collective_ == bcast) {
    if (rank_ == root) bytes_.fill(static_cast<unsigned char*>(buffers.receive), count_, phase_of(root, 0, repetition));
  } else if (send_elements_ == count_) {  // one block, the same for every peer
    bytes_.fill(send, count_, phase_of(rank_, 0, repetition));
  } else {
    for (int peer = 0; peer < size_ && send_elements_ > 0; ++peer)
      bytes_.fill(send + displacements_[peer], count_, phase_of(rank_, peer, repetition));
  }
}

bool Call::right(Buffers buffers, std::int64_t repetition) const {
  using enum Collective;
  if (collective_ == barrier || receive_elements_ == 0) return true;
  if (reduces(collective_)) return sum_is_right(static_cast<const float*>(buffers.receive), repetition);
  const auto* output = static_cast<const unsigned char*>(buffers.receive);
  if (collective_ == bcast) return bytes_.matches(output, count_, phase_of(root, 0, repetition));
  const bool personal = collective_ == scatter || collective_ == scatterv || collective_ == alltoall ||
                        collective_ == alltoallv || collective_ == alltoallw;
  const int to = personal ? rank_ : 0;
  if (collective_ == scatter || collective_ == scatterv)
    return bytes_.matches(output, count_, phase_of(root, to, repetition));
  for (int from = 0; from < size_; ++from)
    if (!bytes_.matches(output + displacements_[from], count_, phase_of(from, to, repetition))) return false;
  return true;
}

bool Call::sum_is_right(const float* output, std::int64_t repetition) const {
  using enum Collective;
  if (collective_ == exscan && rank_ == 0) return true;  // its result is undefined
  const bool scattered = collective_ == reduce_scatter || collective_ == reduce_scatter_block;
  const std::int64_t first = scattered ? displacements_[rank_] : 0;
  return sum_.matches(output, receive_elements_, phase_of(0, 0, repetition) + first);
}

}  // namespace tutti::bench

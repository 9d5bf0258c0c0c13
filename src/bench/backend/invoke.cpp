#include "bench/backend/invoke.hpp"

#include <array>

namespace tutti::bench {

namespace {

using F = const Functions&;
using A = const Arguments&;

/// In the order of Collective.
template <typename Way>
constexpr std::array<Invoke<Way>, collective_names.size()> table = {
    [](F mpi, A a, Buffers, Way way) { way(mpi.Barrier, a.comm); },
    [](F mpi, A a, Buffers b, Way way) { way(mpi.Bcast, b.receive, a.count, a.type, a.root, a.comm); },
    [](F mpi, A a, Buffers b, Way way) {
      way(mpi.Gather, b.send, a.count, a.type, b.receive, a.count, a.type, a.root, a.comm);
    },
    [](F mpi, A a, Buffers b, Way way) {
      way(mpi.Gatherv, b.send, a.count, a.type, b.receive, a.counts.data(), a.displacements.data(), a.type, a.root,
          a.comm);
    },
    [](F mpi, A a, Buffers b, Way way) {
      way(mpi.Scatter, b.send, a.count, a.type, b.receive, a.count, a.type, a.root, a.comm);
    },
    [](F mpi, A a, Buffers b, Way way) {
      way(mpi.Scatterv, b.send, a.counts.data(), a.displacements.data(), a.type, b.receive, a.count, a.type, a.root,
          a.comm);
    },
    [](F mpi, A a, Buffers b, Way way) {
      way(mpi.Allgather, b.send, a.count, a.type, b.receive, a.count, a.type, a.comm);
    },
    [](F mpi, A a, Buffers b, Way way) {
      way(mpi.Allgatherv, b.send, a.count, a.type, b.receive, a.counts.data(), a.displacements.data(), a.type, a.comm);
    },
    [](F mpi, A a, Buffers b, Way way) {
      way(mpi.Alltoall, b.send, a.count, a.type, b.receive, a.count, a.type, a.comm);
    },
    [](F mpi, A a, Buffers b, Way way) {
      way(mpi.Alltoallv, b.send, a.counts.data(), a.displacements.data(), a.type, b.receive, a.counts.data(),
          a.displacements.data(), a.type, a.comm);
    },
    [](F mpi, A a, Buffers b, Way way) {
      way(mpi.Alltoallw, b.send, a.counts.data(), a.byte_displacements.data(), a.types.data(), b.receive,
          a.counts.data(), a.byte_displacements.data(), a.types.data(), a.comm);
    },
    [](F mpi, A a, Buffers b, Way way) { way(mpi.Reduce, b.send, b.receive, a.count, a.type, a.op, a.root, a.comm); },
    [](F mpi, A a, Buffers b, Way way) { way(mpi.Allreduce, b.send, b.receive, a.count, a.type, a.op, a.comm); },
    [](F mpi, A a, Buffers b, Way way) {
      way(mpi.Reduce_scatter, b.send, b.receive, a.counts.data(), a.type, a.op, a.comm);
    },
    [](F mpi, A a, Buffers b, Way way) {
      way(mpi.Reduce_scatter_block, b.send, b.receive, a.count, a.type, a.op, a.comm);
    },
    [](F mpi, A a, Buffers b, Way way) { way(mpi.Scan, b.send, b.receive, a.count, a.type, a.op, a.comm); },
    [](F mpi, A a, Buffers b, Way way) { way(mpi.Exscan, b.send, b.receive, a.count, a.type, a.op, a.comm); },
};

/// Does not call: says whether it could.
struct Looking {
  Manner manner;
  bool* found;
  template <typename Forms, typename... Given>
  void operator()(const Forms& forms, Given...) const {
    *found = manner == Manner::blocking      ? forms.blocking != nullptr
             : manner == Manner::nonblocking ? forms.nonblocking != nullptr
                                             : forms.persistent != nullptr;
  }
};

}  // namespace

template <typename Way>
Invoke<Way> invoker(Collective which) {
  return table<Way>[static_cast<std::size_t>(which)];
}

template Invoke<Blocking> invoker(Collective);
template Invoke<Nonblocking> invoker(Collective);
template Invoke<Persistent> invoker(Collective);

bool has(const Functions& mpi, Collective which, Manner manner) {
  bool found = false;
  invoker<Looking>(which)(mpi, {}, {}, {manner, &found});
  return found;
}

}  // namespace tutti::bench

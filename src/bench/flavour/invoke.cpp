#include "bench/flavour/invoke.hpp"

#include <array>

namespace tutti::bench {

namespace {

/// In the order of Collective.
constexpr std::array<Invoke, collective_names.size()> table = {
    [](const Functions& mpi, const Arguments& a, Buffers) { mpi.Barrier(a.comm); },
    [](const Functions& mpi, const Arguments& a, Buffers b) { mpi.Bcast(b.receive, a.count, MPI_BYTE, root, a.comm); },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Gather(b.send, a.count, MPI_BYTE, b.receive, a.count, MPI_BYTE, root, a.comm);
    },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Gatherv(b.send, a.count, MPI_BYTE, b.receive, a.counts.data(), a.displacements.data(), MPI_BYTE, root,
                  a.comm);
    },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Scatter(b.send, a.count, MPI_BYTE, b.receive, a.count, MPI_BYTE, root, a.comm);
    },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Scatterv(b.send, a.counts.data(), a.displacements.data(), MPI_BYTE, b.receive, a.count, MPI_BYTE, root,
                   a.comm);
    },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Allgather(b.send, a.count, MPI_BYTE, b.receive, a.count, MPI_BYTE, a.comm);
    },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Allgatherv(b.send, a.count, MPI_BYTE, b.receive, a.counts.data(), a.displacements.data(), MPI_BYTE, a.comm);
    },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Alltoall(b.send, a.count, MPI_BYTE, b.receive, a.count, MPI_BYTE, a.comm);
    },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Alltoallv(b.send, a.counts.data(), a.displacements.data(), MPI_BYTE, b.receive, a.counts.data(),
                    a.displacements.data(), MPI_BYTE, a.comm);
    },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Alltoallw(b.send, a.counts.data(), a.displacements.data(), a.types.data(), b.receive, a.counts.data(),
                    a.displacements.data(), a.types.data(), a.comm);
    },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Reduce(b.send, b.receive, a.count, MPI_FLOAT, MPI_SUM, root, a.comm);
    },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Allreduce(b.send, b.receive, a.count, MPI_FLOAT, MPI_SUM, a.comm);
    },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Reduce_scatter(b.send, b.receive, a.counts.data(), MPI_FLOAT, MPI_SUM, a.comm);
    },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Reduce_scatter_block(b.send, b.receive, a.count, MPI_FLOAT, MPI_SUM, a.comm);
    },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Scan(b.send, b.receive, a.count, MPI_FLOAT, MPI_SUM, a.comm);
    },
    [](const Functions& mpi, const Arguments& a, Buffers b) {
      mpi.Exscan(b.send, b.receive, a.count, MPI_FLOAT, MPI_SUM, a.comm);
    },
};

}  // namespace

Invoke invoker(Collective which) { return table[static_cast<std::size_t>(which)]; }

}  // namespace tutti::bench

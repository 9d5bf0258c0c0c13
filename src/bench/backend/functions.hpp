#pragma once
/// The pair under comparison: the same MPI functions, as a program finds them and as the library defines them.
#include <mpi.h>

#include <string>

#include "bench/options.hpp"

namespace tutti::bench {

/// Collectives, in the order of Collective.
#define TUTTI_BENCH_COLLECTIVES(X)              \
  X(Barrier, barrier)                           \
  X(Bcast, bcast)                               \
  X(Gather, gather)                             \
  X(Gatherv, gatherv)                           \
  X(Scatter, scatter)                           \
  X(Scatterv, scatterv)                         \
  X(Allgather, allgather)                       \
  X(Allgatherv, allgatherv)                     \
  X(Alltoall, alltoall)                         \
  X(Alltoallv, alltoallv)                       \
  X(Alltoallw, alltoallw)                       \
  X(Reduce, reduce)                             \
  X(Allreduce, allreduce)                       \
  X(Reduce_scatter, reduce_scatter)             \
  X(Reduce_scatter_block, reduce_scatter_block) \
  X(Scan, scan)                                 \
  X(Exscan, exscan)

/// Messages, and what completes calls.
#define TUTTI_BENCH_MESSAGES(X) \
  X(Send) X(Recv) X(Sendrecv) X(Isend) X(Irecv) X(Waitall) X(Wait) X(Start) X(Request_free)

template <typename Call>
struct Forms;
/// MPI_X, MPI_IX and MPI_X_init of one collective: the latter two have the first one's arguments and more.  Made from
/// its type, since the header of an older MPI declares no persistent ones; null where the library has none.
template <typename... Given>
struct Forms<int (*)(Given...)> {
  int (*blocking)(Given...) = nullptr;
  int (*nonblocking)(Given..., MPI_Request*) = nullptr;
  int (*persistent)(Given..., MPI_Info, MPI_Request*) = nullptr;
};

struct Functions {
#define TUTTI_BENCH_DECLARE(name, lower) Forms<decltype(&::PMPI_##name)> name;
  TUTTI_BENCH_COLLECTIVES(TUTTI_BENCH_DECLARE)
#undef TUTTI_BENCH_DECLARE
#define TUTTI_BENCH_DECLARE(name) decltype(&::PMPI_##name) name = nullptr;
  TUTTI_BENCH_MESSAGES(TUTTI_BENCH_DECLARE)
#undef TUTTI_BENCH_DECLARE
};

/// Source::preloaded: dlsym(RTLD_DEFAULT, "MPI_X"); Source::library: dlsym(mpi, "PMPI_X").
/// Throws std::runtime_error that names the missing function.
Functions load_functions(Source source, void* mpi);

/// tutti_version() of the preloaded tutti, or empty where there is none.
std::string preloaded_version();
/// tutti_last_choice(): the spec that served this thread's last collective; empty where there is no tutti.
std::string last_choice();

}  // namespace tutti::bench

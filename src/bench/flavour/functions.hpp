#pragma once
/// The pair under comparison: the same seventeen MPI functions, as a program finds them and as the library defines
/// them.
#include <mpi.h>

#include <string>

#include "bench/options.hpp"

namespace tutti::bench {

/// In the order of Collective.
#define TUTTI_BENCH_FUNCTIONS(X) \
  X(Barrier)                     \
  X(Bcast)                       \
  X(Gather)                      \
  X(Gatherv)                     \
  X(Scatter)                     \
  X(Scatterv)                    \
  X(Allgather)                   \
  X(Allgatherv)                  \
  X(Alltoall)                    \
  X(Alltoallv) X(Alltoallw) X(Reduce) X(Allreduce) X(Reduce_scatter) X(Reduce_scatter_block) X(Scan) X(Exscan)

struct Functions {
#define TUTTI_BENCH_DECLARE(name) decltype(&::PMPI_##name) name = nullptr;
  TUTTI_BENCH_FUNCTIONS(TUTTI_BENCH_DECLARE)
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

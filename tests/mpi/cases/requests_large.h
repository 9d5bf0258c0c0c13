/* The large-count forms of nonblocking and persistent calls, where only a preloaded library has them (Open MPI 5). */
#ifndef TUTTI_TESTS_REQUESTS_LARGE_H
#define TUTTI_TESTS_REQUESTS_LARGE_H

#include <mpi.h>

#if defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5 && MPI_VERSION < 4
#define DECLARE(name, iname, ...)                                       \
  int MPI_##iname##_c(__VA_ARGS__, MPI_Request*) __attribute__((weak)); \
  int MPI_##name##_init_c(__VA_ARGS__, MPI_Info, MPI_Request*) __attribute__((weak));
#define BLOCKS const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype
#define ROWS \
  const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype
#define SUMS const void*, void*, MPI_Count, MPI_Datatype, MPI_Op
DECLARE(Bcast, Ibcast, void*, MPI_Count, MPI_Datatype, int, MPI_Comm)
DECLARE(Gather, Igather, BLOCKS, int, MPI_Comm)
DECLARE(Gatherv, Igatherv, const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype,
        int, MPI_Comm)
DECLARE(Scatter, Iscatter, BLOCKS, int, MPI_Comm)
DECLARE(Scatterv, Iscatterv, const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, void*, MPI_Count,
        MPI_Datatype, int, MPI_Comm)
DECLARE(Allgather, Iallgather, BLOCKS, MPI_Comm)
DECLARE(Allgatherv, Iallgatherv, const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*,
        MPI_Datatype, MPI_Comm)
DECLARE(Alltoall, Ialltoall, BLOCKS, MPI_Comm)
DECLARE(Alltoallv, Ialltoallv, ROWS, MPI_Comm)
DECLARE(Alltoallw, Ialltoallw, const void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, void*,
        const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, MPI_Comm)
DECLARE(Reduce, Ireduce, SUMS, int, MPI_Comm)
DECLARE(Allreduce, Iallreduce, SUMS, MPI_Comm)
DECLARE(Reduce_scatter, Ireduce_scatter, const void*, void*, const MPI_Count*, MPI_Datatype, MPI_Op, MPI_Comm)
DECLARE(Reduce_scatter_block, Ireduce_scatter_block, SUMS, MPI_Comm)
DECLARE(Scan, Iscan, SUMS, MPI_Comm)
DECLARE(Exscan, Iexscan, SUMS, MPI_Comm)
#undef DECLARE
#define HAS_LARGE (MPI_Ibcast_c != NULL)
#define DECLARES_LARGE 1
#else
#define HAS_LARGE (MPI_VERSION >= 4)
#define DECLARES_LARGE (MPI_VERSION >= 4)
#endif

#endif

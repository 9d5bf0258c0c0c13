#pragma once
/// The MPI library underneath, reached only through this table, filled by dlsym on the library's own handle.
/// Inside tutti every MPI call is `pmpi.Send(...)`: never MPI_Send, never PMPI_Send.
#include <mpi.h>

#include <string>

namespace tutti::runtime {

// clang-format off
#define TUTTI_PMPI_SERVICES(X)                                                                                         \
  X(Initialized) X(Finalized) X(Query_thread) X(Get_library_version) X(Abort) X(Wtime) X(Comm_rank) X(Comm_size)       \
  X(Comm_remote_size) X(Comm_test_inter) X(Comm_group) X(Comm_split) X(Comm_split_type) X(Comm_free)                   \
  X(Comm_create_keyval) X(Comm_free_keyval) X(Comm_set_attr) X(Comm_get_attr) X(Comm_delete_attr)                      \
  X(Comm_set_errhandler) X(Comm_get_errhandler) X(Comm_call_errhandler) X(Error_class) X(Errhandler_free) X(Comm_get_name)            \
  X(Group_size) X(Group_rank) X(Group_translate_ranks) X(Group_free) X(Get_processor_name) X(Type_size) X(Type_size_x) \
  X(Type_get_name)                                                                                                     \
  X(Type_get_extent) X(Type_get_true_extent) X(Type_get_envelope) X(Type_get_contents) X(Type_create_keyval)           \
  X(Type_free_keyval) X(Type_set_attr) X(Type_get_attr) X(Type_contiguous) X(Type_create_struct)                       \
  X(Type_create_hvector) X(Type_create_hindexed) X(Type_create_resized) X(Type_commit) X(Type_free) X(Pack) X(Unpack) X(Pack_size)             \
  X(Get_address) X(Op_commutative) X(Reduce_local) X(Isend) X(Irecv) X(Send) X(Recv) X(Sendrecv) X(Test) X(Testall)    \
  X(Testsome) X(Wait) X(Waitany) X(Waitall) X(Iprobe) X(Cancel) X(Request_free) X(Ibarrier) X(Recv_init)\
  X(Iallreduce) X(Waitsome) X(Testany) X(Start) X(Startall) X(Request_get_status)
#define TUTTI_PMPI_COLLECTIVES(X)                                                                                      \
  X(Barrier) X(Bcast) X(Gather) X(Gatherv) X(Scatter) X(Scatterv) X(Allgather) X(Allgatherv) X(Alltoall) X(Alltoallv)  \
  X(Alltoallw) X(Reduce) X(Allreduce) X(Reduce_scatter) X(Reduce_scatter_block) X(Scan) X(Exscan)
#define TUTTI_PMPI_FUNCTIONS(X) TUTTI_PMPI_SERVICES(X) TUTTI_PMPI_COLLECTIVES(X)
// clang-format on

#define TUTTI_DECLARE(name) decltype(&::PMPI_##name) name = nullptr;
/// A library's collectives, of int counts.
struct Collectives {
  TUTTI_PMPI_COLLECTIVES(TUTTI_DECLARE)
};

struct Pmpi : Collectives {
  TUTTI_PMPI_SERVICES(TUTTI_DECLARE)
};
#undef TUTTI_DECLARE

/// Filled once, before the first intercepted call returns from the loader's resolver.
extern Pmpi pmpi;

// clang-format off
#define TUTTI_PMPI_NONBLOCKING(X)                                                                                      \
  X(Barrier, Ibarrier) X(Bcast, Ibcast) X(Gather, Igather) X(Gatherv, Igatherv) X(Scatter, Iscatter)                   \
  X(Scatterv, Iscatterv) X(Allgather, Iallgather) X(Allgatherv, Iallgatherv) X(Alltoall, Ialltoall)                    \
  X(Alltoallv, Ialltoallv) X(Alltoallw, Ialltoallw) X(Reduce, Ireduce) X(Allreduce, Iallreduce)                        \
  X(Reduce_scatter, Ireduce_scatter) X(Reduce_scatter_block, Ireduce_scatter_block) X(Scan, Iscan) X(Exscan, Iexscan)
// clang-format on

/// The same with requests, under the names of the blocking ones.
struct NonblockingCollectives {
#define TUTTI_DECLARE(name, function) decltype(&::PMPI_##function) name = nullptr;
  TUTTI_PMPI_NONBLOCKING(TUTTI_DECLARE)
#undef TUTTI_DECLARE
};
extern NonblockingCollectives nonblocking;

/// Collectives of newer libraries, whose counts and displacements are wide; all null elsewhere.
struct WideCollectives {
  using Counts = const MPI_Count*;
  using Places = const MPI_Aint*;
  int (*Gatherv)(const void*, MPI_Count, MPI_Datatype, void*, Counts, Places, MPI_Datatype, int, MPI_Comm) = nullptr;
  int (*Scatterv)(const void*, Counts, Places, MPI_Datatype, void*, MPI_Count, MPI_Datatype, int, MPI_Comm) = nullptr;
  int (*Alltoallv)(const void*, Counts, Places, MPI_Datatype, void*, Counts, Places, MPI_Datatype, MPI_Comm) = nullptr;
};
extern WideCollectives wide;

/// Looks every name up on `handle` (the object that defines PMPI_Init).  Returns the first missing name, or null.
const char* load_pmpi(void* handle);

/// The handle that it was filled from.
void* mpi_handle();

/// What MPI_Get_library_version says.
const std::string& library_version();

/// Whether the library runs with fault tolerance (ULFM): a failed rank then shows as an error of a call on the user's
/// communicator, which only the library's own collectives bring about.
bool fault_tolerance_on();

}  // namespace tutti::runtime

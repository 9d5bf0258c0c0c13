#pragma once
/// The collectives as function pointers, in one of two widths: int counts, or MPI_Count and MPI_Aint.
///
/// They are looked up by name, so that one binary knows the large-count forms too where only tutti has them.
#include <mpi.h>

#include <string>

namespace tutti::fuzz {

#define TUTTI_FUZZ_COLLECTIVES(X) \
  X(Bcast)                        \
  X(Gather)                       \
  X(Gatherv)                      \
  X(Scatter)                      \
  X(Scatterv)                     \
  X(Allgather)                    \
  X(Allgatherv)                   \
  X(Alltoall)                     \
  X(Alltoallv) X(Alltoallw) X(Reduce) X(Allreduce) X(Reduce_scatter) X(Reduce_scatter_block) X(Scan) X(Exscan)

/// `More`: what a nonblocking or a persistent form takes beside.
template <class Count, class Place, class... More>
struct Functions {
  using Data = const void*;
  using Type = MPI_Datatype;
  using Types = const MPI_Datatype*;
  using Counts = const Count*;
  using Places = const Place*;
  using Comm = MPI_Comm;

  int (*Barrier)(Comm, More...) = nullptr;
  int (*Bcast)(void*, Count, Type, int, Comm, More...) = nullptr;
  int (*Gather)(Data, Count, Type, void*, Count, Type, int, Comm, More...) = nullptr;
  int (*Gatherv)(Data, Count, Type, void*, Counts, Places, Type, int, Comm, More...) = nullptr;
  int (*Scatter)(Data, Count, Type, void*, Count, Type, int, Comm, More...) = nullptr;
  int (*Scatterv)(Data, Counts, Places, Type, void*, Count, Type, int, Comm, More...) = nullptr;
  int (*Allgather)(Data, Count, Type, void*, Count, Type, Comm, More...) = nullptr;
  int (*Allgatherv)(Data, Count, Type, void*, Counts, Places, Type, Comm, More...) = nullptr;
  int (*Alltoall)(Data, Count, Type, void*, Count, Type, Comm, More...) = nullptr;
  int (*Alltoallv)(Data, Counts, Places, Type, void*, Counts, Places, Type, Comm, More...) = nullptr;
  int (*Alltoallw)(Data, Counts, Places, Types, void*, Counts, Places, Types, Comm, More...) = nullptr;
  int (*Reduce)(Data, void*, Count, Type, MPI_Op, int, Comm, More...) = nullptr;
  int (*Allreduce)(Data, void*, Count, Type, MPI_Op, Comm, More...) = nullptr;
  int (*Reduce_scatter)(Data, void*, Counts, Type, MPI_Op, Comm, More...) = nullptr;
  int (*Reduce_scatter_block)(Data, void*, Count, Type, MPI_Op, Comm, More...) = nullptr;
  int (*Scan)(Data, void*, Count, Type, MPI_Op, Comm, More...) = nullptr;
  int (*Exscan)(Data, void*, Count, Type, MPI_Op, Comm, More...) = nullptr;

  bool complete() const {
#define TUTTI_FUZZ_THERE(name) there = there && name != nullptr;
    bool there = Barrier != nullptr;
    TUTTI_FUZZ_COLLECTIVES(TUTTI_FUZZ_THERE)
    return there;
#undef TUTTI_FUZZ_THERE
  }
};

/// `find(name)`: address or null.  A barrier has no count, so its name has no suffix.
template <class Count, class Place, class... More, class Find>
Functions<Count, Place, More...> functions(const std::string& prefix, const std::string& suffix, Find find) {
  Functions<Count, Place, More...> table;
  table.Barrier = reinterpret_cast<decltype(table.Barrier)>(find(prefix + "Barrier"));
#define TUTTI_FUZZ_FIND(name) table.name = reinterpret_cast<decltype(table.name)>(find(prefix + #name + suffix));
  TUTTI_FUZZ_COLLECTIVES(TUTTI_FUZZ_FIND)
#undef TUTTI_FUZZ_FIND
  return table;
}

}  // namespace tutti::fuzz

#include "call.hpp"

#include <numeric>
#include <utility>

#include "../tests/mpi/own.h"

namespace tutti::fuzz {
namespace {

using enum Collective;

/// Counts and displacements of one side of a v-form, in the width of the call.
struct Sides {
  std::vector<int> send_counts, send_places, receive_counts, receive_places;
};

std::vector<int> back_to_back(const std::vector<int>& counts) {
  std::vector<int> places(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  return places;
}

Sides sides(const Case& which, int me) {
  Sides made;
  if (!which.matrix.empty()) {
    made.send_counts = which.matrix[static_cast<std::size_t>(me)];
    for (const auto& row : which.matrix) made.receive_counts.push_back(row[static_cast<std::size_t>(me)]);
    made.send_places = back_to_back(made.send_counts);
    made.receive_places = back_to_back(made.receive_counts);
  } else {
    made.send_counts = made.receive_counts = which.counts;
    made.send_places = made.receive_places = which.displacements;
  }
  return made;
}

std::vector<int> in_bytes(const std::vector<int>& places, MPI_Datatype type) {
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(type, &lower, &extent);
  std::vector<int> bytes;
  for (const int place : places) bytes.push_back(static_cast<int>(place * extent));
  return bytes;
}

/// One instantiation a width: Count and Place are int and int, or MPI_Count and MPI_Aint.
#define TUTTI_PICK(suffix, ...) (native ? OWN(PMPI_##suffix)(__VA_ARGS__) : MPI_##suffix(__VA_ARGS__))
#define TUTTI_CALLS(W, Count, Place)                                                                      \
  int call##W(const Case& k, const Team& team, const void* s, void* r, bool native) {                     \
    const MPI_Datatype t = datatypes()[static_cast<std::size_t>(k.type)].handle;                          \
    const MPI_Op op = k.op < 0 ? MPI_OP_NULL : operators()[static_cast<std::size_t>(k.op)].handle;        \
    int me;                                                                                               \
    PMPI_Comm_rank(team.comm, &me);                                                                       \
    const Count n = k.count;                                                                              \
    const int root = k.root;                                                                              \
    const MPI_Comm c = team.comm;                                                                         \
    const Sides v = sides(k, me);                                                                         \
    const std::vector<Count> sc(v.send_counts.begin(), v.send_counts.end()),                              \
        rc(v.receive_counts.begin(), v.receive_counts.end());                                             \
    const std::vector<Place> sd(v.send_places.begin(), v.send_places.end()),                              \
        rd(v.receive_places.begin(), v.receive_places.end());                                             \
    const auto sb = in_bytes(v.send_places, t), rb = in_bytes(v.receive_places, t);                       \
    const std::vector<Place> swd(sb.begin(), sb.end()), rwd(rb.begin(), rb.end());                        \
    const std::vector<MPI_Datatype> types(static_cast<std::size_t>(team.size), t);                        \
    const Count mine = k.counts.empty() ? 0 : k.counts[static_cast<std::size_t>(me)];                     \
    switch (k.collective) {                                                                               \
      case barrier:                                                                                       \
        return TUTTI_PICK(Barrier, c);                                                                    \
      case bcast:                                                                                         \
        return TUTTI_PICK(Bcast##W, r, n, t, root, c);                                                    \
      case gather:                                                                                        \
        return TUTTI_PICK(Gather##W, s, n, t, r, n, t, root, c);                                          \
      case gatherv:                                                                                       \
        return TUTTI_PICK(Gatherv##W, s, mine, t, r, rc.data(), rd.data(), t, root, c);                   \
      case scatter:                                                                                       \
        return TUTTI_PICK(Scatter##W, s, n, t, r, n, t, root, c);                                         \
      case scatterv:                                                                                      \
        return TUTTI_PICK(Scatterv##W, s, sc.data(), sd.data(), t, r, mine, t, root, c);                  \
      case allgather:                                                                                     \
        return TUTTI_PICK(Allgather##W, s, n, t, r, n, t, c);                                             \
      case allgatherv:                                                                                    \
        return TUTTI_PICK(Allgatherv##W, s, mine, t, r, rc.data(), rd.data(), t, c);                      \
      case alltoall:                                                                                      \
        return TUTTI_PICK(Alltoall##W, s, n, t, r, n, t, c);                                              \
      case alltoallv:                                                                                     \
        return TUTTI_PICK(Alltoallv##W, s, sc.data(), sd.data(), t, r, rc.data(), rd.data(), t, c);       \
      case alltoallw:                                                                                     \
        return TUTTI_PICK(Alltoallw##W, s, sc.data(), swd.data(), types.data(), r, rc.data(), rwd.data(), \
                          types.data(), c);                                                               \
      case reduce:                                                                                        \
        return TUTTI_PICK(Reduce##W, s, r, n, t, op, root, c);                                            \
      case allreduce:                                                                                     \
        return TUTTI_PICK(Allreduce##W, s, r, n, t, op, c);                                               \
      case reduce_scatter:                                                                                \
        return TUTTI_PICK(Reduce_scatter##W, s, r, rc.data(), t, op, c);                                  \
      case reduce_scatter_block:                                                                          \
        return TUTTI_PICK(Reduce_scatter_block##W, s, r, n, t, op, c);                                    \
      case scan:                                                                                          \
        return TUTTI_PICK(Scan##W, s, r, n, t, op, c);                                                    \
      case exscan:                                                                                        \
        return TUTTI_PICK(Exscan##W, s, r, n, t, op, c);                                                  \
    }                                                                                                     \
    return MPI_ERR_OTHER;                                                                                 \
  }

// One line a collective: long, but flat.
TUTTI_CALLS(, int, int)  // NOLINT(readability-function-size)
#ifdef TUTTI_FUZZ_LARGE_COUNTS
TUTTI_CALLS(_c, MPI_Count, MPI_Aint)  // NOLINT(readability-function-size)
#endif

bool in_place_here(const Case& which, int me) {
  const bool root_only = which.collective == gather || which.collective == gatherv || which.collective == scatter ||
                         which.collective == scatterv || which.collective == reduce;
  return which.in_place && (!root_only || me == which.root);
}

}  // namespace

namespace {

std::pair<std::int64_t, std::int64_t> elements(const Case& which, int ranks, int me) {
  const std::int64_t n = which.count, all = n * ranks;
  const bool root = me == which.root;
  const std::int64_t mine = which.counts.empty() ? 0 : which.counts[static_cast<std::size_t>(me)];
  switch (which.collective) {
    case barrier:
      return {0, 0};
    case bcast:
      return {0, n};
    case gather:
      return {n, root ? all : 0};
    case gatherv:
      return {mine, root ? which.span : 0};
    case scatter:
      return {root ? all : 0, n};
    case scatterv:
      return {root ? which.span : 0, mine};
    case allgather:
      return {n, all};
    case allgatherv:
      return {mine, which.span};
    case alltoall:
      return {all, all};
    case alltoallv:
    case alltoallw: {
      std::int64_t out = 0, in = 0;
      for (int i = 0; i < ranks; ++i) {
        out += which.matrix[static_cast<std::size_t>(me)][static_cast<std::size_t>(i)];
        in += which.matrix[static_cast<std::size_t>(i)][static_cast<std::size_t>(me)];
      }
      return {out, in};
    }
    case reduce_scatter: {
      const std::int64_t total = std::accumulate(which.counts.begin(), which.counts.end(), std::int64_t{0});
      return {total, which.in_place ? total : mine};
    }
    case reduce_scatter_block:
      return {all, which.in_place ? all : n};
    default:
      return {n, n};
  }
}

}  // namespace

Shape shape(const Case& which, int ranks, int me) {
  const auto [send, receive] = elements(which, ranks, me);
  // Another rank's receive buffer does not matter; Intel MPI 2021.18 writes into it all the same.
  if (which.collective == reduce) return {send, receive, me == which.root ? receive : 0};
  if (!which.in_place) return {send, receive, receive};
  if (which.collective == reduce_scatter) return {send, receive, which.counts[static_cast<std::size_t>(me)]};
  if (which.collective == reduce_scatter_block) return {send, receive, which.count};
  return {send, receive, receive};
}

int call(const Case& which, const Team& team, Buffers& buffers, bool native) {
  int me;
  PMPI_Comm_rank(team.comm, &me);
  const bool receive_side = which.collective == scatter || which.collective == scatterv;
  const bool in_place = in_place_here(which, me);
  const void* send = in_place && !receive_side ? MPI_IN_PLACE : buffers.send.data();
  void* receive = in_place && receive_side ? MPI_IN_PLACE : buffers.receive.data();
#ifdef TUTTI_FUZZ_LARGE_COUNTS
  if (which.wide) return call_c(which, team, send, receive, native);
#endif
  return call(which, team, send, receive, native);
}

}  // namespace tutti::fuzz

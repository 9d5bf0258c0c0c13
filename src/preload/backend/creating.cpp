#include "preload/backend/creating.hpp"

#include <mpi.h>

#include "hang/entered.hpp"
#include "preload/wrappers/wrappers.hpp"
#include "runtime/communicator/state.hpp"
#include "runtime/report/shown_communicator.hpp"

namespace tutti::preload {
namespace {

// Function, what it is called in hang::Other, parameters and arguments.  The first argument is the parent, the last one
// gets what is made.
// clang-format off
#define TUTTI_CREATING(X)                                                                                              \
  X(Comm_dup, comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made))                                                 \
  X(Comm_dup_with_info, comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made), (comm, info, made))        \
  X(Comm_split, comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made))             \
  X(Comm_split_type, comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),               \
    (comm, type, key, info, made))                                                                                     \
  X(Comm_create, comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made), (comm, group, made))                   \
  X(Comm_create_group, comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made),                   \
    (comm, group, tag, made))                                                                                          \
  X(Cart_create, cart_create,                                                                                          \
    (MPI_Comm comm, int dimensions, const int* sizes, const int* periodic, int reorder, MPI_Comm* made),               \
    (comm, dimensions, sizes, periodic, reorder, made))                                                                \
  X(Cart_sub, cart_sub, (MPI_Comm comm, const int* remain, MPI_Comm* made), (comm, remain, made))                      \
  X(Graph_create, graph_create,                                                                                        \
    (MPI_Comm comm, int nodes, const int* index, const int* edges, int reorder, MPI_Comm* made),                       \
    (comm, nodes, index, edges, reorder, made))                                                                        \
  X(Dist_graph_create, dist_graph_create,                                                                              \
    (MPI_Comm comm, int n, const int* sources, const int* degrees, const int* destinations, const int* weights,        \
     MPI_Info info, int reorder, MPI_Comm* made),                                                                      \
    (comm, n, sources, degrees, destinations, weights, info, reorder, made))                                           \
  X(Dist_graph_create_adjacent, dist_graph_create_adjacent,                                                            \
    (MPI_Comm comm, int in, const int* sources, const int* in_weights, int out, const int* destinations,               \
     const int* out_weights, MPI_Info info, int reorder, MPI_Comm* made),                                              \
    (comm, in, sources, in_weights, out, destinations, out_weights, info, reorder, made))                              \
  X(Intercomm_create, intercomm_create,                                                                                \
    (MPI_Comm comm, int leader, MPI_Comm peers, int other, int tag, MPI_Comm* made),                                   \
    (comm, leader, peers, other, tag, made))                                                                           \
  X(Intercomm_merge, intercomm_merge, (MPI_Comm comm, int high, MPI_Comm* made), (comm, high, made))
// clang-format on

/// Not all ranks of the parent need to be in these: they have no number there.
constexpr bool is_numbered(hang::Other which) { return which != hang::Other::comm_create_group; }

template <class Call>
int create(MPI_Comm parent, hang::Other which, const char* name, const hang::Facts& facts, MPI_Comm* made,
           Call&& call) {
  hang::Communicator& shown = runtime::shown(runtime::find_state(parent), parent);
  const auto code = static_cast<std::uint8_t>(which);
  int result = MPI_SUCCESS;
  if (is_numbered(which)) {
    const hang::Entered entered(shown, code, facts);
    result = call();
  } else {
    const hang::Entered entered(code, facts);
    result = call();
  }
  if (result == MPI_SUCCESS && made) runtime::remember_origin(*made, shown, which, name);
  return result;
}

#define TUTTI_CREATE(name, which, parameters, arguments)                                                       \
  decltype(&MPI_##name) next_##which = nullptr;                                                                \
  int serve_##which parameters {                                                                               \
    return create(comm, hang::Other::which, #name, {__builtin_return_address(0), __builtin_dwarf_cfa()}, made, \
                  [&] { return next_##which arguments; });                                                     \
  }
TUTTI_CREATING(TUTTI_CREATE)
#undef TUTTI_CREATE

}  // namespace

void find_creating(const tutti_loader& loader) {
#define TUTTI_CREATE(name, which, parameters, arguments) find(loader, "MPI_" #name, next_##which, nullptr);
  TUTTI_CREATING(TUTTI_CREATE)
#undef TUTTI_CREATE
}

void list_creating(std::vector<tutti_entry>& entries) {
#define TUTTI_CREATE(name, which, parameters, arguments) \
  if (next_##which) list(entries, "MPI_" #name, serve_##which);
  TUTTI_CREATING(TUTTI_CREATE)
#undef TUTTI_CREATE
}

}  // namespace tutti::preload

/// What the MPI library makes of a case.
#include "executor_cases.hpp"

namespace tutti::test {
namespace {

using enum Collective;

/// The blocks of a side as plain ints, one block after the other.
struct Plain {
  std::vector<int> counts, displacements, data;
};

unsigned char* block_address(const Blockwise& side, const Case& one, Memory& memory, std::size_t i) {
  MPI_Aint lower, extent = 1;
  if (one.which != alltoallw) MPI_Type_get_extent(side.types[i], &lower, &extent);
  return static_cast<unsigned char*>(memory.address()) + side.displacements[i] * extent;
}

Plain plain(const Blockwise& side, const Case& one, Memory& memory) {
  Plain made;
  int total = 0;
  for (std::size_t i = 0; i < side.counts.size(); ++i) {
    made.counts.push_back(static_cast<int>(side.ints(i)));
    made.displacements.push_back(total);
    total += made.counts.back();
  }
  made.data.resize(static_cast<std::size_t>(total) + 1);
  int position = 0;
  for (std::size_t i = 0; i < side.counts.size(); ++i)
    MPI_Pack(block_address(side, one, memory, i), side.counts[i], side.types[i], made.data.data(),
             static_cast<int>(made.data.size() * sizeof(int)), &position, MPI_COMM_SELF);
  return made;
}

void put_back(const Plain& made, const Blockwise& side, const Case& one, Memory& memory) {
  int position = 0;
  for (std::size_t i = 0; i < side.counts.size(); ++i)
    MPI_Unpack(made.data.data(), static_cast<int>(made.data.size() * sizeof(int)), &position,
               block_address(side, one, memory, i), side.counts[i], side.types[i], MPI_COMM_SELF);
}

void move(Case& one, Memory& receive, MPI_Comm comm) {
  Plain from = plain(one.sends, one, one.send), into = plain(one.receives, one, receive);
  const bool scatters = one.which == scatter || one.which == scatterv;
  const void* s = one.in_place && !scatters ? MPI_IN_PLACE : from.data.data();
  void* r = one.in_place && scatters ? MPI_IN_PLACE : into.data.data();
  const int *sc = from.counts.data(), *sd = from.displacements.data();
  const int *rc = into.counts.data(), *rd = into.displacements.data();
  switch (one.which) {
    case bcast:
      PMPI_Bcast(r, rc[0], MPI_INT, one.root, comm);
      break;
    case gather:
    case gatherv:
      PMPI_Gatherv(s, sc[0], MPI_INT, r, rc, rd, MPI_INT, one.root, comm);
      break;
    case scatter:
    case scatterv:
      PMPI_Scatterv(s, sc, sd, MPI_INT, r, rc[0], MPI_INT, one.root, comm);
      break;
    case allgather:
    case allgatherv:
      PMPI_Allgatherv(s, sc[0], MPI_INT, r, rc, rd, MPI_INT, comm);
      break;
    default:
      PMPI_Alltoallv(s, sc, sd, MPI_INT, r, rc, rd, MPI_INT, comm);
  }
  put_back(into, one.receives, one, receive);
}

void combine(Case& one, Memory& receive, MPI_Comm comm) {
  const void* s = one.in_place ? MPI_IN_PLACE : one.send.address();
  void* r = receive.address();
  const MPI_Datatype type = one.reduction.type;
  const MPI_Op op = one.reduction.op;
  switch (one.which) {
    case reduce:
      PMPI_Reduce(s, r, one.count, type, op, one.root, comm);
      break;
    case allreduce:
      PMPI_Allreduce(s, r, one.count, type, op, comm);
      break;
    case scan:
      PMPI_Scan(s, r, one.count, type, op, comm);
      break;
    case exscan:
      PMPI_Exscan(s, r, one.count, type, op, comm);
      break;
    case reduce_scatter:
      PMPI_Reduce_scatter(s, r, one.receives.counts.data(), type, op, comm);
      break;
    default:
      PMPI_Reduce_scatter_block(s, r, one.count, type, op, comm);
  }
}

}  // namespace

void reference(Case& one, Memory& receive, MPI_Comm comm) {
  if (one.which == barrier)
    PMPI_Barrier(comm);
  else if (reduces(one.which))
    combine(one, receive, comm);
  else
    move(one, receive, comm);
}

}  // namespace tutti::test

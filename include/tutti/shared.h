/* tutti: collectives whose result lies once on each node, in memory that the node's ranks share.  For data that all of
   them read: tables, meshes, models.  docs/shared-results.md has examples, lifetimes, errors and limits.

   Compile with your MPI's wrapper, and link with -ltutti (or preload the library and look the names up).  All are
   collective over an intracommunicator and take the arguments of MPI's own, but for the place of the result: `result`
   is the address of a pointer, which is set to where the result begins.  Return MPI error codes, through the
   communicator's error handler. */
#ifndef TUTTI_SHARED_H
#define TUTTI_SHARED_H
#include <mpi.h>
#include <stddef.h>

#include "tutti/tutti.h"

/* Flags.  Without any, ranks may only read the result: a write is a fault (SIGSEGV). */
enum { TUTTI_READ_ONLY = 0, TUTTI_COPY_ON_WRITE = 1 };

/* One side of a call. */
struct tutti_shared_side {
  const void* buffer;
  MPI_Count count;
  const int64_t* counts;
  MPI_Datatype type;
};

static inline int tutti_shared_by_name(const char* collective, const struct tutti_shared_side* send,
                                       const struct tutti_shared_side* receive, const MPI_Op* op, int root,
                                       MPI_Comm comm, unsigned flags, void* result) {
  struct tutti_shared_call call;
  call.bytes = (uint32_t)sizeof call;
  call.handle_bytes = (uint32_t)sizeof comm;
  call.collective = collective;
  call.comm = &comm;
  call.op = op;
  call.send_buffer = send->buffer;
  call.send_count = send->count;
  call.send_type = &send->type;
  call.receive_count = receive->count;
  call.receive_counts = receive->counts;
  call.receive_type = &receive->type;
  call.root = root;
  call.flags = flags;
  return tutti_shared(&call, (void**)result);
}

/* The root's `count` elements of `type` to everybody.  `buffer` counts at the root alone, and stays the root's. */
static inline int tutti_bcast_shared(const void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm,
                                     unsigned flags, void* result) {
  const struct tutti_shared_side from = {buffer, count, NULL, type}, to = {NULL, count, NULL, type};
  return tutti_shared_by_name("bcast", &from, &to, NULL, root, comm, flags, result);
}

/* Everybody's block, in rank order. */
static inline int tutti_allgather_shared(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                         MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                                         unsigned flags, void* result) {
  const struct tutti_shared_side from = {send, send_count, NULL, send_type},
                                 to = {NULL, receive_count, NULL, receive_type};
  return tutti_shared_by_name("allgather", &from, &to, NULL, 0, comm, flags, result);
}

/* As above with blocks of unequal lengths, back to back: block r begins after the elements of the ranks before r. */
static inline int tutti_allgatherv_shared(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                          const int64_t* receive_counts, MPI_Datatype receive_type, MPI_Comm comm,
                                          unsigned flags, void* result) {
  const struct tutti_shared_side from = {send, send_count, NULL, send_type},
                                 to = {NULL, 0, receive_counts, receive_type};
  return tutti_shared_by_name("allgatherv", &from, &to, NULL, 0, comm, flags, result);
}

/* The combination of everybody's elements. */
static inline int tutti_allreduce_shared(const void* send, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                                         unsigned flags, void* result) {
  const struct tutti_shared_side from = {send, count, NULL, type}, to = {NULL, count, NULL, type};
  return tutti_shared_by_name("allreduce", &from, &to, &op, 0, comm, flags, result);
}

/* Everybody's block, in rank order, at the root; NULL elsewhere.  Ranks of the root's node write theirs in place. */
static inline int tutti_gather_shared(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                      MPI_Count receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm,
                                      unsigned flags, void* result) {
  const struct tutti_shared_side from = {send, send_count, NULL, send_type},
                                 to = {NULL, receive_count, NULL, receive_type};
  return tutti_shared_by_name("gather", &from, &to, NULL, root, comm, flags, result);
}

/* Block r of everybody's goes to rank r: this rank's blocks, by source.  Rows of all ranks of a node lie in one piece
   of memory, where their senders write them; the result is this rank's own row. */
static inline int tutti_alltoall_shared(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                        MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                                        unsigned flags, void* result) {
  const struct tutti_shared_side from = {send, send_count, NULL, send_type},
                                 to = {NULL, receive_count, NULL, receive_type};
  return tutti_shared_by_name("alltoall", &from, &to, NULL, 0, comm, flags, result);
}

#endif

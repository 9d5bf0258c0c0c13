/* Part of requests_jobs.h: a job's call in each of its forms. */
#ifndef TUTTI_TESTS_REQUESTS_CALLS_H
#define TUTTI_TESTS_REQUESTS_CALLS_H

#include "requests_large.h"

#if HAS_PERSISTENT
#define PERSISTENT(name, ...) return MPI_##name##_init(__VA_ARGS__, j->info, request)
#else
#define PERSISTENT(name, ...) return MPI_ERR_OTHER
#endif
#if DECLARES_LARGE
#define LARGE(name, iname, ...)                   \
  if (form == large_nonblocking)                  \
    return MPI_##iname##_c(__VA_ARGS__, request); \
  else if (form == large_persistent)              \
  return MPI_##name##_init_c(__VA_ARGS__, j->info, request)
#else
#define LARGE(name, iname, ...) (void)0
#endif
#define NARROW(name, iname, ...)              \
  if (form == blocking)                       \
    return PMPI_##name(__VA_ARGS__);          \
  else if (form == blocking_served)           \
    return MPI_##name(__VA_ARGS__);           \
  else if (form == nonblocking)               \
    return MPI_##iname(__VA_ARGS__, request); \
  else if (form == persistent)                \
  PERSISTENT(name, __VA_ARGS__)
#define EVERY(name, iname, ...)     \
  NARROW(name, iname, __VA_ARGS__); \
  LARGE(name, iname, __VA_ARGS__);  \
  break

static inline const void* job_sent(const struct job* j) {
  const int rooted = j->which == gather || j->which == gatherv || j->which == reduce;
  return j->in_place && (!rooted || j->rank == j->root) ? MPI_IN_PLACE : j->send;
}

static inline int job_call_plain(struct job* j, enum form form, MPI_Request* request) {
  const void* sent = job_sent(j);
  void* received = j->receive;
  const int count = j->count, root = j->root;
  const MPI_Datatype type = j->type, first = j->send_type;
  if (j->which == scatter) sent = j->send, received = j->in_place && j->rank == root ? MPI_IN_PLACE : received;
  switch (j->which) {
    case barrier:
      if (form == large_nonblocking) form = nonblocking;
      if (form == large_persistent) form = persistent;
      NARROW(Barrier, Ibarrier, j->comm);
      break;
    case bcast:
      EVERY(Bcast, Ibcast, received, count, j->rank == root ? first : type, root, j->comm);
    case reduce:
      EVERY(Reduce, Ireduce, sent, received, count, type, j->op, root, j->comm);
    case allreduce:
      EVERY(Allreduce, Iallreduce, sent, received, count, type, j->op, j->comm);
    case gather:
      EVERY(Gather, Igather, sent, count, first, received, count, type, root, j->comm);
    case scatter:
      EVERY(Scatter, Iscatter, sent, count, first, received, count, type, root, j->comm);
    case allgather:
      EVERY(Allgather, Iallgather, sent, count, first, received, count, type, j->comm);
    case alltoall:
      EVERY(Alltoall, Ialltoall, sent, count, first, received, count, type, j->comm);
    case reduce_scatter_block:
      EVERY(Reduce_scatter_block, Ireduce_scatter_block, sent, received, count, type, j->op, j->comm);
    case scan:
      EVERY(Scan, Iscan, sent, received, count, type, j->op, j->comm);
    case exscan:
      EVERY(Exscan, Iexscan, sent, received, count, type, j->op, j->comm);
    default:
      break;
  }
  return MPI_ERR_OTHER;
}

#define ARRAYS(name, iname, narrow, large) \
  NARROW(name, iname, UNPACK narrow);      \
  LARGE(name, iname, UNPACK large);        \
  break
#define UNPACK(...) __VA_ARGS__

static inline int job_call_arrays(struct job* j, enum form form, MPI_Request* request) {
  const void* sent = job_sent(j);
  void* received = j->receive;
  const int own = j->counts[j->rank], root = j->root;
  const MPI_Datatype type = j->type, first = j->send_type;
  if (j->which == scatterv) sent = j->send, received = j->in_place && j->rank == root ? MPI_IN_PLACE : received;
  switch (j->which) {
    case gatherv:
      ARRAYS(Gatherv, Igatherv, (sent, own, first, received, j->counts, j->places, type, root, j->comm),
             (sent, own, first, received, j->large_counts, j->large_places, type, root, j->comm));
    case scatterv:
      ARRAYS(Scatterv, Iscatterv, (sent, j->counts, j->places, first, received, own, type, root, j->comm),
             (sent, j->large_counts, j->large_places, first, received, own, type, root, j->comm));
    case allgatherv:
      ARRAYS(Allgatherv, Iallgatherv, (sent, own, first, received, j->counts, j->places, type, j->comm),
             (sent, own, first, received, j->large_counts, j->large_places, type, j->comm));
    case alltoallv:
      ARRAYS(
          Alltoallv, Ialltoallv, (sent, j->counts, j->places, first, received, j->counts, j->places, type, j->comm),
          (sent, j->large_counts, j->large_places, first, received, j->large_counts, j->large_places, type, j->comm));
    case alltoallw:
      ARRAYS(Alltoallw, Ialltoallw,
             (sent, j->counts, j->send_bytes, j->send_types, received, j->counts, j->bytes, j->types, j->comm),
             (sent, j->large_counts, j->large_send_bytes, j->send_types, received, j->large_counts, j->large_bytes,
              j->types, j->comm));
    case reduce_scatter:
      ARRAYS(Reduce_scatter, Ireduce_scatter, (sent, received, j->counts, type, j->op, j->comm),
             (sent, received, j->large_counts, type, j->op, j->comm));
    default:
      break;
  }
  return MPI_ERR_OTHER;
}

static inline void job_call(struct job* j, enum form form, MPI_Request* request) {
  const int code = job_has_arrays(j) ? job_call_arrays(j, form, request) : job_call_plain(j, form, request);
  expect_success(code, names[j->which]);
}

static inline void job_start(struct job* j, MPI_Request* request) { job_call(j, nonblocking, request); }

#endif

/* The seventeen collectives as jobs: buffers, arrays of counts, a call in one of its forms, and what must come out.
   A job with the types and the operator it is made with (MPI_INT, MPI_SUM) knows its result; with others, the same job
   called by blocking PMPI_X tells it. */
#ifndef TUTTI_TESTS_REQUESTS_JOBS_H
#define TUTTI_TESTS_REQUESTS_JOBS_H

#include "requests.h"

enum collective {
  barrier,
  bcast,
  reduce,
  allreduce,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  exscan,
  collectives
};
static const char* const names[] = {"barrier",  "bcast",     "reduce",    "allreduce",      "gather",
                                    "gatherv",  "scatter",   "scatterv",  "allgather",      "allgatherv",
                                    "alltoall", "alltoallv", "alltoallw", "reduce_scatter", "reduce_scatter_block",
                                    "scan",     "exscan"};
enum form { blocking, blocking_served, nonblocking, persistent, large_nonblocking, large_persistent };
enum { most_ranks = 8 };

struct job {
  enum collective which;
  MPI_Comm comm;
  int rank, ranks, root, count, turn, in_place;
  MPI_Datatype send_type, type;
  MPI_Op op;
  MPI_Info info;
  int send_extent, extent; /* bytes */
  int counts[most_ranks], places[most_ranks], send_bytes[most_ranks], bytes[most_ranks];
  MPI_Datatype send_types[most_ranks], types[most_ranks];
  MPI_Count large_counts[most_ranks];
  MPI_Aint large_places[most_ranks], large_send_bytes[most_ranks], large_bytes[most_ranks];
  int length; /* ints of a buffer */
  int *send, *receive, *before;
};

static inline int job_value(int rank, int k, int turn) { return (rank * 1009 + k * 17 + turn * 101) % 9973; }

static inline int job_pairwise(const struct job* j) { return j->which == alltoallv || j->which == alltoallw; }

static inline int job_has_arrays(const struct job* j) {
  return job_pairwise(j) || j->which == gatherv || j->which == scatterv || j->which == allgatherv ||
         j->which == reduce_scatter;
}

static inline int job_is_rooted(const struct job* j) {
  return j->which == bcast || j->which == reduce || j->which == gather || j->which == gatherv || j->which == scatter ||
         j->which == scatterv;
}

/* Rank `of`'s block for (or from) rank r: how many elements, and where in the buffer. */
static inline int job_block(const struct job* j, int of, int r, int* place) {
  const int gap = j->which == reduce_scatter ? 0 : 1;
  int at = 0, count = j->count;
  if (!job_has_arrays(j)) return *place = r * count, count;
  for (int i = 0;; ++i) {
    count = j->count == 0 ? 0 : (j->count + (job_pairwise(j) ? i + of : 3 * i)) % (j->count + 2);
    if (i == r) return *place = at, count;
    at += count + gap;
  }
}

/* The arrays, once the types are known. */
static inline void job_arrays(struct job* j) {
  for (int r = 0; r < j->ranks; ++r) {
    j->counts[r] = job_block(j, j->rank, r, &j->places[r]);
    j->send_bytes[r] = j->places[r] * j->send_extent, j->bytes[r] = j->places[r] * j->extent;
    j->send_types[r] = j->send_type, j->types[r] = j->type;
    j->large_counts[r] = j->counts[r], j->large_places[r] = j->places[r];
    j->large_send_bytes[r] = j->send_bytes[r], j->large_bytes[r] = j->bytes[r];
  }
}

/* New data for the next call. */
static inline void job_fill(struct job* j, int turn) {
  const int at_root = j->rank == j->root, unit = j->extent, count = j->count;
  j->turn = turn;
  for (int k = 0; k < j->length; ++k) j->send[k] = job_value(j->rank, k, turn), j->receive[k] = -1;
  char* const own = (char*)j->receive;
  const size_t all = sizeof(int) * (size_t)j->length;
  if (j->which == bcast && at_root) memcpy(own, j->send, all);
  if (j->in_place) switch (j->which) {
      case gather:
        if (at_root) memcpy(own + j->rank * count * unit, j->send, (size_t)(count * unit));
        break;
      case gatherv:
        if (at_root) memcpy(own + j->places[j->rank] * unit, j->send, (size_t)(j->counts[j->rank] * unit));
        break;
      case allgather:
        memcpy(own + j->rank * count * unit, j->send, (size_t)(count * unit));
        break;
      case allgatherv:
        memcpy(own + j->places[j->rank] * unit, j->send, (size_t)(j->counts[j->rank] * unit));
        break;
      case barrier:
      case bcast:
      case scatter:
      case scatterv:
        break;
      default:
        if (j->which != reduce || at_root) memcpy(own, j->send, all);
    }
  memcpy(j->before, own, all);
}

static inline void job_types(struct job* j, MPI_Datatype send_type, int send_extent, MPI_Datatype type, int extent,
                             MPI_Op op) {
  const int most = send_extent > extent ? send_extent : extent;
  j->send_type = send_type, j->send_extent = send_extent, j->type = type, j->extent = extent, j->op = op;
  j->length = ((j->count + 3) * j->ranks + 4) * most / (int)sizeof(int) + 4;
  free(j->send), free(j->receive), free(j->before);
  j->send = malloc(sizeof(int) * (size_t)j->length);
  j->receive = malloc(sizeof(int) * (size_t)j->length);
  j->before = malloc(sizeof(int) * (size_t)j->length);
  job_arrays(j);
  job_fill(j, j->turn);
}

static inline struct job* job_new(enum collective which, MPI_Comm comm, int count, int turn, int in_place) {
  struct job* j = calloc(1, sizeof *j);
  j->which = which, j->comm = comm, j->count = which == barrier ? 0 : count, j->turn = turn;
  j->in_place = in_place, j->info = MPI_INFO_NULL;
  MPI_Comm_rank(comm, &j->rank), MPI_Comm_size(comm, &j->ranks);
  j->root = turn % j->ranks;
  job_types(j, MPI_INT, sizeof(int), MPI_INT, sizeof(int), MPI_SUM);
  return j;
}

/* Whoever still looks at buffers or arrays sees nonsense. */
static inline void job_free(struct job* j) {
  memset(j->send, 0x77, sizeof(int) * (size_t)j->length), memset(j->receive, 0x77, sizeof(int) * (size_t)j->length);
  free(j->send), free(j->receive), free(j->before);
  memset(j, 0x77, sizeof *j);
  free(j);
}

#include "requests_calls.h"

static inline int job_sum(const struct job* j, int ranks, int k) {
  int sum = 0;
  for (int r = 0; r < ranks; ++r) sum += job_value(r, k, j->turn);
  return sum;
}

/* What rank r's part of the result should be at element i, where it is; -1: not defined. */
static inline int job_wanted(const struct job* j, int r, int i) {
  int at = 0;
  switch (j->which) {
    case bcast:
      return job_value(j->root, i, j->turn);
    case reduce:
    case allreduce:
      return job_sum(j, j->ranks, i);
    case scan:
      return job_sum(j, j->rank + 1, i);
    case exscan:
      return j->rank == 0 ? -1 : job_sum(j, j->rank, i);
    case gather:
    case gatherv:
    case allgather:
    case allgatherv:
      return job_value(r, i, j->turn);
    case scatter:
    case scatterv:
      return job_block(j, j->root, j->rank, &at), job_value(j->root, at + i, j->turn);
    case reduce_scatter:
    case reduce_scatter_block:
      return job_block(j, j->rank, j->rank, &at), job_sum(j, j->ranks, at + i);
    default:
      return job_block(j, r, j->rank, &at), job_value(r, at + i, j->turn);
  }
}

/* The result of the closed form over what was there before: into `before`. */
static inline void job_overlay(struct job* j) {
  const int blocks = j->which == gather || j->which == gatherv || j->which == allgather || j->which == allgatherv ||
                     j->which == alltoall || job_pairwise(j);
  const int one =
      j->which == scatter || j->which == scatterv || j->which == reduce_scatter || j->which == reduce_scatter_block;
  if (j->which == barrier || (j->rank != j->root && (j->which == reduce || j->which == gather || j->which == gatherv)))
    return;
  if (j->in_place && j->rank == j->root && (j->which == scatter || j->which == scatterv)) return;
  for (int r = 0; r < (blocks ? j->ranks : 1); ++r) {
    int place = 0, count = j->count;
    if (blocks) count = job_block(j, j->rank, r, &place);
    if (one) count = job_block(j, j->rank, j->rank, &place), place = 0;
    for (int i = 0; i < count; ++i) {
      const int wanted = job_wanted(j, r, i);
      j->before[place + i] = wanted < 0 ? j->receive[place + i] : wanted;
    }
    /* The further input of reduce_scatter in place is not defined afterwards. */
    for (int i = count; j->in_place && one && i < j->length; ++i) j->before[i] = j->receive[i];
  }
}

static inline void job_compare(const struct job* j, const int* wanted, const char* when) {
  for (int k = 0; k < j->length; ++k)
    if (j->receive[k] != wanted[k]) {
      complain("%s: %s of %d%s, root %d, turn %d: %d at %d, not %d", when, names[j->which], j->count,
               j->in_place ? " in place" : "", j->root, j->turn, j->receive[k], k, wanted[k]);
      return;
    }
}

/* After the call has completed. */
static inline void job_check(struct job* j, const char* when) {
  job_overlay(j);
  job_compare(j, j->before, when);
}

#endif

/* tutti: faster MPI collectives.  Public C interface (link with -ltutti, or look the names up in a preloaded process).
 */
#ifndef TUTTI_TUTTI_H
#define TUTTI_TUTTI_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What happened to the calls of one collective in this process since its start. */
struct tutti_counters {
  uint64_t calls;    /* intercepted */
  uint64_t eligible; /* of those, on an active communicator of more than one rank, the choice not being native */
  uint64_t node;     /* carried out by the node engine */
  uint64_t flat;     /* carried out by a schedule over messages */
  uint64_t
      hierarchy; /* carried out by the node engine in each node, and by a schedule or the MPI library between them */
};

/* Version as "0.1.0". */
const char* tutti_version(void);
/* Counters of a call by its name in lower case ("allreduce", "iallreduce", "allreduce_init"; "" for all blocking ones
   together).  Of a persistent request the call that makes it is counted.  0, or -1 for an unknown name. */
int tutti_get_counters(const char* collective, struct tutti_counters* counters);
/* Spec that served (or passed) the calling thread's last intercepted collective: "node", "ring", "native". */
const char* tutti_last_choice(void);

/* Results in memory that the ranks of a node share.  The collectives themselves are in tutti/shared.h, which needs your
   MPI's mpi.h; what follows is the same for every MPI. */

/* What a result lies in. */
enum tutti_result {
  TUTTI_RESULT_NONE = 0,          /* not a result of ours, or freed */
  TUTTI_RESULT_SHARED = 1,        /* one copy for the node's ranks, which may only read it */
  TUTTI_RESULT_COPY_ON_WRITE = 2, /* the same copy; pages that this rank writes become its own */
  TUTTI_RESULT_PRIVATE = 3        /* this rank's own memory: nobody to share it with, or no way to */
};

/* Gives the result back in this process alone: no communication, in any order, also after MPI_Comm_free and
   MPI_Finalize.  The memory goes when the last rank has done so or has ended.  NULL is no error.  MPI_SUCCESS, or
   MPI_ERR_ARG for an address that is not a result. */
int tutti_free(void* result);
/* Where `reason` is not NULL it gets one sentence that says why the result is private, else "". */
enum tutti_result tutti_result_kind(const void* result, const char** reason);

/* One call of tutti/shared.h as that header hands it over: handles by their addresses, since their types differ from
   MPI to MPI. */
struct tutti_shared_call {
  uint32_t bytes;         /* sizeof(struct tutti_shared_call) */
  uint32_t handle_bytes;  /* sizeof(MPI_Comm) */
  const char* collective; /* "bcast" */
  const void* comm;       /* MPI_Comm* */
  const void* op;         /* MPI_Op*, or NULL */
  const void* send_buffer;
  int64_t send_count;
  const void* send_type; /* MPI_Datatype* */
  int64_t receive_count;
  const int64_t* receive_counts; /* allgatherv */
  const void* receive_type;
  int32_t root;
  uint32_t flags;
};
/* An MPI error code; *result is the result's address. */
int tutti_shared(const struct tutti_shared_call* call, void** result);

#ifdef __cplusplus
}
#endif
#endif

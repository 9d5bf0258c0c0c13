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
/* Counters of a collective by its name in lower case ("allreduce"; "" for all together).  0, or -1 for an unknown name.
 */
int tutti_get_counters(const char* collective, struct tutti_counters* counters);
/* Spec that served (or passed) the calling thread's last intercepted collective: "node", "ring", "native". */
const char* tutti_last_choice(void);

#ifdef __cplusplus
}
#endif
#endif

/* The callers of PMPI_X, by page. */
#ifndef TUTTI_LOADER_CALLERS_H
#define TUTTI_LOADER_CALLERS_H
#include <stdatomic.h>

#include "preload/loader/loader.h"

/* Page of code << 1 | whether its calls of PMPI_X are served; 0: empty.  Direct-mapped; read in assembly. */
extern _Atomic uint64_t tutti_loader_callers[TUTTI_CALLER_PAGES];

/* Identifies the caller, caches its page, and returns whether its calls of PMPI_X are served: all but the MPI's own.
   `mpi_base`: where the MPI is loaded. */
int tutti_loader_remember_caller(const void* caller, const void* mpi_base);

#endif

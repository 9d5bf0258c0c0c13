/* The callers of PMPI_X, by page. */
#ifndef TUTTI_FRONT_CALLERS_H
#define TUTTI_FRONT_CALLERS_H
#include <stdatomic.h>

#include "front/front.h"

/* Page of code << 1 | whether it belongs to an MPI's Fortran library; 0: empty.  Direct-mapped; read in assembly. */
extern _Atomic uint64_t tutti_front_callers[TUTTI_CALLER_PAGES];

/* Classifies the caller, remembers its page, and tells whether it is an MPI's Fortran library. */
int tutti_front_remember_caller(const void* caller);

#endif

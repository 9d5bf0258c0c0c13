/* The callers of PMPI_X.  MPI_X and PMPI_X are one function with two names: a tool calls PMPI_X where the program
   called MPI_X, Open MPI's Fortran library calls PMPI_Bcast for mpi_bcast, MPICH's mpi_f08 calls PMPI_Barrier for
   MPI_Barrier, and a program may call either.  Ranks enter one collective by both names, so both are served; otherwise
   such ranks would wait for each other for ever.

   The exception is the MPI itself: its MPI-IO calls PMPI_X like a program, from within calls that all ranks make. These
   stay its own, on all ranks alike.  The MPI is recognised by the address of its code, not by whether a call of ours is
   in progress: what the user's own callbacks call from inside one is the program's. */
#define _GNU_SOURCE
#include "preload/loader/callers.h"

#include <dlfcn.h>
#include <string.h>

_Atomic uint64_t tutti_loader_callers[TUTTI_CALLER_PAGES];

/* Open MPI's plug-ins (mca_io_romio321.so) and their common libraries (libmca_common_ompio.so).  Fortran libraries of
   an MPI do not count as the MPI here. */
static int is_plug_in(const char* path) {
  const char* slash = strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  return strncmp(name, "mca_", 4) == 0 || strncmp(name, "libmca_", 7) == 0;
}

int tutti_loader_remember_caller(const void* caller, const void* mpi_base) {
  Dl_info object;
  const int known = dladdr(caller, &object) && object.dli_fname;
  const int own = known && (object.dli_fbase == mpi_base || is_plug_in(object.dli_fname));
  /* The page stays cached for ever, so the object must not be unloaded and replaced by another library's code. */
  if (own) dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  const uint64_t page = (uint64_t)(uintptr_t)caller >> 12;
  atomic_store_explicit(&tutti_loader_callers[page % TUTTI_CALLER_PAGES], page << 1 | (uint64_t)!own,
                        memory_order_release);
  return !own;
}

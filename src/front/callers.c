/* Who calls PMPI_X.  Open MPI's Fortran library reaches PMPI_Bcast for mpi_bcast, MPICH's mpi_f08 reaches PMPI_Barrier
   for MPI_Barrier: such a call is the program's, and is served like its C calls, or ranks that meet in one collective
   from both languages would wait for each other for ever.  Any other caller of PMPI_X means the MPI's own, unless tutti
   is asked to serve beneath the tools that call it (TUTTI_LAYER=pmpi). */
#define _GNU_SOURCE
#include "front/callers.h"

#include <dlfcn.h>
#include <string.h>

_Atomic uint64_t tutti_front_callers[TUTTI_CALLER_PAGES];

/* Open MPI's mpif.h and mpi_f08 libraries; MPICH's (also Cray's libmpifort_gnu_*), Debian's name for it, and old ones.
 */
static int is_fortran_library(const char* path) {
  static const char* const prefixes[] = {"libmpi_mpifh", "libmpi_usempi", "libmpifort", "libmpichfort", "libfmpich"};
  const char* slash = strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return 1;
  return 0;
}

int tutti_front_remember_caller(const void* caller, const void* mpi_base, int beneath_tools) {
  Dl_info object;
  const int known = dladdr(caller, &object) && object.dli_fname;
  const int fortran = known && is_fortran_library(object.dli_fname);
  const int own = known && object.dli_fbase == mpi_base; /* its MPI-IO, for one, calls PMPI_X like a program */
  const int served = fortran || (beneath_tools && !own);
  /* The page is remembered for ever, so the library must stay. */
  if (served && known) dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  const uint64_t page = (uint64_t)(uintptr_t)caller >> 12;
  atomic_store_explicit(&tutti_front_callers[page % TUTTI_CALLER_PAGES], page << 1 | (uint64_t)served,
                        memory_order_release);
  return served;
}

/* The chain of definitions: other preloaded tools, then the MPI. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "preload/loader/loader.h"

/* MPI_X of the object behind us in the global scope, unless it belongs to another MPI than the one in use. */
static void* behind_us(const struct tutti_mpi* mpi, const char* name) {
  void* symbol = dlsym(RTLD_NEXT, name);
  Dl_info object;
  if (!symbol || !dladdr(symbol, &object) || !object.dli_fname) return NULL;
  if (object.dli_fbase != mpi->base && tutti_loader_defines_mpi(object.dli_fname, object.dli_fbase)) return NULL;
  return symbol;
}

void* tutti_loader_tool(const struct tutti_mpi* mpi, const char* name) {
  Dl_info object;
  void* symbol = behind_us(mpi, name);
  return symbol && dladdr(symbol, &object) && object.dli_fbase != mpi->base ? symbol : NULL;
}

void* tutti_loader_next(const struct tutti_mpi* mpi, const char* name) {
  void* symbol = strncmp(name, "PMPI_", 5) == 0 ? NULL : behind_us(mpi, name);
  return symbol ? symbol : dlsym(mpi->handle, name);
}

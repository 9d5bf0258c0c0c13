/* The MPI library's own function, past what is preloaded: MPI_X and PMPI_X of a program are both tutti's. */
#ifndef TUTTI_TESTS_OWN_H
#define TUTTI_TESTS_OWN_H
#include <dlfcn.h>
#include <stddef.h>

/* `name` in the object that defines PMPI_Init, which nobody else exports. */
static inline void* tutti_own(const char* name) {
  Dl_info mpi;
  void* const handle =
      dladdr(dlsym(RTLD_DEFAULT, "PMPI_Init"), &mpi) ? dlopen(mpi.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  return handle ? dlsym(handle, name) : NULL;
}

/* OWN(PMPI_Bcast)(buffer, ...).  Looked up once at each place. */
#define OWN(function)                                                  \
  (__extension__({                                                     \
    static __typeof__(&function) found_;                               \
    if (!found_) found_ = (__typeof__(&function))tutti_own(#function); \
    found_;                                                            \
  }))
#endif

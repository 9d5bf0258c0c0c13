/* Declarations shared by the parts of the loader.  The loader is plain C: it lives in every process that inherits the
   environment, so it has no constructor, no dependency beyond libc, and does nothing before the first MPI call. */
#ifndef TUTTI_LOADER_LOADER_H
#define TUTTI_LOADER_LOADER_H

/* Cached pages of callers of PMPI_X; also used in assembly. */
#define TUTTI_CALLER_PAGES 256

#ifndef __ASSEMBLER__
#include <stdint.h>

#include "preload/loader/backend.h"

enum { tutti_path_length = 4096, tutti_version_length = 16384, tutti_message_length = 512 };

/* The MPI library of this process. */
struct tutti_mpi {
  void* handle;     /* dlopen handle; NULL: there is none */
  const void* base; /* where the object is loaded */
  char path[tutti_path_length];
  char version[tutti_version_length]; /* MPI_Get_library_version */
  const char* backend;                /* "mpich", "openmpi", "abi", or NULL where the version is not known */
};

/* find_mpi.c: the MPI that `caller` (an address in the code that made the first call) is linked to, or else the first
   object of the process that defines PMPI_Init.  Fills `mpi`; its handle stays NULL when there is no MPI. */
void tutti_loader_find_mpi(struct tutti_mpi* mpi, const void* caller);
/* Whether the object at `path`, loaded at `base`, itself defines PMPI_Init. */
int tutti_loader_defines_mpi(const char* path, const void* base);

/* chain.c: the function that a call to `name` reaches without tutti. */
void* tutti_loader_next(const struct tutti_mpi* mpi, const char* name);
/* The function of that name of a tool behind us in the chain, or NULL. */
void* tutti_loader_tool(const struct tutti_mpi* mpi, const char* name);

/* backend.c: loads the backend that lies beside this library.  NULL after one warning where it cannot be used. */
const struct tutti_entry* tutti_loader_load_backend(const struct tutti_mpi* mpi, void* (*next)(const char*));
/* The function called `name` in a backend's list, or NULL (also for a NULL list). */
void* tutti_loader_entry(const struct tutti_entry* entries, const char* name);

/* bind.c: called by the trampolines; each returns the function to jump to. */
void* tutti_loader_first_call(unsigned index, void* caller);
void* tutti_loader_new_caller(unsigned index, void* caller);
/* The backend's list once it is bound, else NULL. */
const struct tutti_entry* tutti_loader_bound(void);
/* The list of the backend that is loaded, if one is, whether it serves or (TUTTI=off) not. */
const struct tutti_entry* tutti_loader_loaded(void);
/* As above, loaded by now where there is an MPI; `caller` as in tutti_loader_find_mpi.  For what programs ask of tutti
   by name, which TUTTI=off does not take away. */
const struct tutti_entry* tutti_loader_backend(const void* caller);

/* Whether `collective` is a name in lower case, as in tutti.h, of a collective that is intercepted. */
int tutti_loader_knows(const char* collective);

/* warn.c: one line on stderr, by the first rank alone where the launcher tells which rank this is. */
void tutti_loader_warn(const char* format, ...) __attribute__((format(printf, 1, 2)));
#endif
#endif

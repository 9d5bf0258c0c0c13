/* The contract between the loader (libtutti.so) and a backend (libtutti-mpich.so, -openmpi.so, -abi.so): plain C. */
#ifndef TUTTI_LOADER_BACKEND_H
#define TUTTI_LOADER_BACKEND_H
#include <stddef.h>
#include <stdint.h>

#define TUTTI_BACKEND_CONTRACT 1

struct tutti_loader {
  uint32_t contract; /* TUTTI_BACKEND_CONTRACT */
  void* mpi;         /* dlopen handle of the object that defines PMPI_Init */
  const char* mpi_path;
  const char* mpi_version;         /* MPI_Get_library_version */
  void* (*next)(const char* name); /* what a call to MPI_X passes on to: the MPI's own PMPI_X, or NULL */
};

struct tutti_entry {
  const char* name; /* "MPI_Allreduce", "MPI_Allreduce_c", "MPI_Finalize", "mpi_allreduce_", "tutti_counters" */
  void* function;
};

/* Every backend exports this one symbol, `tutti_backend`.  Returns the functions it serves, ended by a NULL name,
   or NULL with one sentence in *reason.  MPI is not necessarily initialised yet. */
typedef const struct tutti_entry* (*tutti_backend_function)(const struct tutti_loader*, const char** reason);

#endif

/* The contract between the front (libtutti.so) and a flavour (libtutti-mpich.so, -openmpi.so, -abi.so): plain C. */
#ifndef TUTTI_FRONT_FLAVOUR_H
#define TUTTI_FRONT_FLAVOUR_H
#include <stddef.h>
#include <stdint.h>

#define TUTTI_FLAVOUR_CONTRACT 1

struct tutti_front {
  uint32_t contract; /* TUTTI_FLAVOUR_CONTRACT */
  void* mpi;         /* dlopen handle of the object that defines PMPI_Init */
  const char* mpi_path;
  const char* mpi_version;         /* MPI_Get_library_version */
  void* (*next)(const char* name); /* what a call to MPI_X passes on to: the MPI's own PMPI_X, or NULL */
};

struct tutti_entry {
  const char* name; /* "MPI_Allreduce", "MPI_Allreduce_c", "MPI_Finalize", "mpi_allreduce_", "tutti_counters" */
  void* function;
};

/* Every flavour exports this one symbol, `tutti_flavour`.  Returns the functions it serves, ended by a NULL name,
   or NULL with one sentence in *reason.  MPI is not necessarily initialised yet. */
typedef const struct tutti_entry* (*tutti_flavour_function)(const struct tutti_front*, const char** reason);

#endif

/* Which MPI is in this process.  Sonames do not tell (Debian's MPICH is libmpich.so.12, Cray's libmpi_gnu_*.so), and
   in Python the library comes in by a local dlopen: look for the object that defines PMPI_Init. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "preload/loader/loader.h"

enum { most_objects = 4096 };

static int defined_by(void* symbol, Dl_info* found) { return symbol && dladdr(symbol, found) && found->dli_fname; }

/* The object that defines PMPI_Init, as seen from the one loaded from `path`: itself or what it depends on. */
static int seen_from(const char* path, Dl_info* found) {
  void* handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (!handle) return 0;
  const int is_found = defined_by(dlsym(handle, "PMPI_Init"), found);
  dlclose(handle);
  return is_found;
}

/* The caller's own dependencies come first: a process may hold two MPIs (one of them in a plug-in). */
static int linked_to(const void* caller, Dl_info* found) {
  Dl_info object;
  return dladdr(caller, &object) && object.dli_fname && seen_from(object.dli_fname, found);
}

struct names {
  char* list[most_objects];
  int count;
};

/* Only collects: dlopen under the lock of dl_iterate_phdr could deadlock. */
static int collect(struct dl_phdr_info* object, size_t size, void* context) {
  (void)size;
  struct names* names = context;
  if (object->dlpi_name && *object->dlpi_name && names->count < most_objects) {
    char* name = strdup(object->dlpi_name);
    if (name) names->list[names->count++] = name;
  }
  return 0;
}

static int anywhere(Dl_info* found) {
  if (defined_by(dlsym(RTLD_DEFAULT, "PMPI_Init"), found)) return 1;
  struct names* names = calloc(1, sizeof *names);
  if (!names) return 0;
  dl_iterate_phdr(collect, names);
  int is_found = 0;
  for (int i = 0; i < names->count; ++i) {
    if (!is_found) is_found = seen_from(names->list[i], found);
    free(names->list[i]);
  }
  free(names);
  return is_found;
}

int tutti_loader_defines_mpi(const char* path, const void* base) {
  Dl_info found;
  return seen_from(path, &found) && found.dli_fbase == base;
}

/* The MPI's own symbol, not one of a library that it depends on. */
static void* own(const struct tutti_mpi* mpi, const char* name) {
  Dl_info object;
  void* symbol = dlsym(mpi->handle, name);
  return symbol && dladdr(symbol, &object) && object.dli_fbase == mpi->base ? symbol : NULL;
}

/* libmpi.so.12 and libmpi_abi.so.1 of one MPICH give the same version: only the ABI's own query tells them apart.
   MPIs before the standard ABI lack it, and outside of that ABI it answers -1. */
static int standard_abi(const struct tutti_mpi* mpi) {
  int major = -1, minor = -1;
  int (*get_abi)(int*, int*) = NULL;
  *(void**)&get_abi = own(mpi, "PMPI_Abi_get_version");
  return get_abi && get_abi(&major, &minor) == 0 && major >= 1;
}

static int says(const struct tutti_mpi* mpi, const char* const* names) {
  for (; *names; ++names)
    if (strstr(mpi->version, *names)) return 1;
  return 0;
}

/* The ABI shows in what compiled programs refer to: Open MPI's handles are addresses of its objects (whatever vendors
   call it: Spectrum MPI, Fujitsu MPI), MPICH's mpi.h makes MPI_COMM_DUP_FN this function.  The version alone does not
   tell: a wrapper (MPItrampoline, MUK, Wi4MPI) names the MPI that it wraps, and its handles are its own.  Where one
   offers another MPI's ABI, marks and version contradict each other, and the program is left alone. */
static const char* backend_of(const struct tutti_mpi* mpi) {
  static const char* const mpich[] = {"MPICH", "Intel(R) MPI", "MVAPICH", "ParaStation MPI", NULL}; /* and CRAY MPICH */
  static const char* const openmpi[] = {"Open MPI", NULL};
  static const char* const wrappers[] = {"MPItrampoline", "MPIwrapper", "MUKAUTUVA", "Mukautuva",
                                         "Wi4MPI",        "WI4MPI",     NULL};
  if (standard_abi(mpi)) return "abi";
  if (says(mpi, wrappers)) return NULL;
  if (own(mpi, "ompi_mpi_comm_world")) return says(mpi, mpich) ? NULL : "openmpi";
  return own(mpi, "MPIR_Dup_fn") && says(mpi, mpich) && !says(mpi, openmpi) ? "mpich" : NULL;
}

void tutti_loader_find_mpi(struct tutti_mpi* mpi, const void* caller) {
  Dl_info found;
  memset(mpi, 0, sizeof *mpi);
  if (!linked_to(caller, &found) && !anywhere(&found)) return;
  /* Global: the Open MPI backend refers to its handle objects (ompi_mpi_comm_world), which a local dlopen hides. */
  mpi->handle = dlopen(found.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
  if (!mpi->handle) return;
  mpi->base = found.dli_fbase;
  strncpy(mpi->path, found.dli_fname, sizeof mpi->path - 1);
  int length = 0, (*get_version)(char*, int*) = NULL;
  *(void**)&get_version = dlsym(mpi->handle, "PMPI_Get_library_version");
  if (!get_version || get_version(mpi->version, &length) != 0) mpi->version[0] = '\0';
  mpi->version[strcspn(mpi->version, "\n")] = '\0';
  mpi->backend = backend_of(mpi);
}

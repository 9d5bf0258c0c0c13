/* Loads the backend for the MPI in use from the folder that this library lies in. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "preload/loader/loader.h"

static int path_beside_us(char* path, size_t size, const char* backend) {
  Dl_info us;
  if (!dladdr((void*)&path_beside_us, &us) || !us.dli_fname) return 0;
  const char* slash = strrchr(us.dli_fname, '/');
  const int folder = slash ? (int)(slash - us.dli_fname) + 1 : 0;
  const int length = snprintf(path, size, "%.*slibtutti-%s.so", folder, us.dli_fname, backend);
  return length > 0 && (size_t)length < size;
}

static const struct tutti_entry* load(const struct tutti_mpi* mpi, void* (*next)(const char*), const char** reason) {
  static struct tutti_loader loader;
  static char path[tutti_path_length];
  *reason = "its binary interface is none that tutti knows (a wrapper's is not that of the MPI it wraps)";
  if (!mpi->backend || !path_beside_us(path, sizeof path, mpi->backend)) return NULL;
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) {
    *reason = dlerror();
    return NULL;
  }
  tutti_backend_function backend = NULL;
  *(void**)&backend = dlsym(handle, "tutti_backend");
  *reason = "the backend has no entry tutti_backend";
  if (!backend) return NULL;
  loader = (struct tutti_loader){TUTTI_BACKEND_CONTRACT, mpi->handle, mpi->path, mpi->version, next};
  *reason = "the backend gave no reason";
  return backend(&loader, reason);
}

const struct tutti_entry* tutti_loader_load_backend(const struct tutti_mpi* mpi, void* (*next)(const char*)) {
  const char* reason = NULL;
  const struct tutti_entry* entries = load(mpi, next, &reason);
  if (!entries) tutti_loader_warn("collectives stay with %s (%s): %s", mpi->path, mpi->version, reason);
  return entries;
}

void* tutti_loader_entry(const struct tutti_entry* entries, const char* name) {
  for (const struct tutti_entry* entry = entries; entry && entry->name; ++entry)
    if (strcmp(entry->name, name) == 0) return entry->function;
  return NULL;
}

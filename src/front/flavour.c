/* Loads the flavour for the MPI in use from the folder that this library lies in. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "front/front.h"

static int path_beside_us(char* path, size_t size, const char* flavour) {
  Dl_info us;
  if (!dladdr((void*)&path_beside_us, &us) || !us.dli_fname) return 0;
  const char* slash = strrchr(us.dli_fname, '/');
  const int folder = slash ? (int)(slash - us.dli_fname) + 1 : 0;
  const int length = snprintf(path, size, "%.*slibtutti-%s.so", folder, us.dli_fname, flavour);
  return length > 0 && (size_t)length < size;
}

static const struct tutti_entry* load(const struct tutti_mpi* mpi, void* (*next)(const char*), const char** reason) {
  static struct tutti_front front;
  static char path[tutti_path_length];
  *reason = "its binary interface is none that tutti knows (a wrapper's is not that of the MPI it wraps)";
  if (!mpi->flavour || !path_beside_us(path, sizeof path, mpi->flavour)) return NULL;
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) {
    *reason = dlerror();
    return NULL;
  }
  tutti_flavour_function flavour = NULL;
  *(void**)&flavour = dlsym(handle, "tutti_flavour");
  *reason = "the flavour has no entry tutti_flavour";
  if (!flavour) return NULL;
  front = (struct tutti_front){TUTTI_FLAVOUR_CONTRACT, mpi->handle, mpi->path, mpi->version, next};
  *reason = "the flavour gave no reason";
  return flavour(&front, reason);
}

const struct tutti_entry* tutti_front_load_flavour(const struct tutti_mpi* mpi, void* (*next)(const char*)) {
  const char* reason = NULL;
  const struct tutti_entry* entries = load(mpi, next, &reason);
  if (!entries) tutti_front_warn("collectives stay with %s (%s): %s", mpi->path, mpi->version, reason);
  return entries;
}

void* tutti_front_entry(const struct tutti_entry* entries, const char* name) {
  for (const struct tutti_entry* entry = entries; entry && entry->name; ++entry)
    if (strcmp(entry->name, name) == 0) return entry->function;
  return NULL;
}

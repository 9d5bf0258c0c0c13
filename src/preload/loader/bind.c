/* The table behind the trampolines, filled once, at the first call of any of them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/loader/callers.h"
#include "preload/loader/loader.h"

#define TUTTI_CALL(index, name) "P" #name,
static const char* const profiling_names[] = {
#include "loader_calls.inc"
};
#undef TUTTI_CALL

static const char* name_of(unsigned index) { return profiling_names[index] + 1; /* MPI_X */ }

extern void* _Atomic tutti_loader_slots[TUTTI_CALLS]; /* MPI_X; in assembly, where it starts with the unbound stubs */

/* PMPI_X, by the caller: see callers.h. */
struct {
  void* own;
  void* served;
} tutti_loader_profiling[TUTTI_CALLS];

static struct {
  struct tutti_mpi mpi;
  const struct tutti_entry* entries; /* NULL: nothing is served */
  const struct tutti_entry* _Atomic loaded;
  atomic_int ready;
  atomic_long binder; /* thread that binds now, or 0 */
} loader;

/* What a backend passes on to.  Tools have seen the call before it (see fill), so what comes next is the MPI itself. */
static void* next(const char* name) {
  char own[64];
  snprintf(own, sizeof own, "P%s", name);
  return tutti_loader_next(&loader.mpi, own);
}

/* Stands where neither the MPI nor the backend has the function.  16 is an error class (other, intern) in every MPI. */
static int unavailable(void) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&said))
    tutti_loader_warn(loader.mpi.handle ? "a function was called that %s lacks, and nothing stands in for it"
                                        : "an MPI function was called, but no MPI is in this process%s",
                      loader.mpi.path);
  return 16;
}

/* Without tutti: the next definition, or the backend's for a large-count form that this MPI lacks. */
static void* untouched(const struct tutti_entry* fallbacks, unsigned index, int profiling) {
  char name[64];
  void* function = tutti_loader_next(&loader.mpi, profiling_names[index] + (profiling ? 0 : 1));
  if (function) return function;
  snprintf(name, sizeof name, "native:%s", name_of(index));
  function = tutti_loader_entry(fallbacks, name);
  return function ? function : (void*)&unavailable;
}

static int anything_missing(void) {
  for (unsigned index = 0; index < TUTTI_CALLS; ++index)
    if (!tutti_loader_next(&loader.mpi, name_of(index))) return 1;
  return 0;
}

static int is(const char* variable, const char* value) {
  const char* given = getenv(variable);
  return given && strcasecmp(given, value) == 0;
}

/* The words that src/selection takes for no. */
static int switched_off(void) {
  return is("TUTTI", "off") || is("TUTTI", "0") || is("TUTTI", "no") || is("TUTTI", "false");
}

/* Calls may be recorded without being served: then the backend's functions record, and pass all on. */
static int recorded(void) {
  const char* file = getenv("TUTTI_RECORD");
  return file && *file;
}

/* Both names of a function are served.  Where a tool stands behind us in the chain, MPI_X is the tool's, as it would be
   without us, and what it then calls by PMPI_X is served.  So nothing is served twice, and MPI_X needs no guard. */
static void fill(void) {
  const int off = switched_off() && !recorded();
  if (!off && is("TUTTI_LAYER", "pmpi"))
    tutti_loader_warn("TUTTI_LAYER=pmpi is needed no longer: what tools call by PMPI_X is served without it");
  const struct tutti_entry* loaded = NULL;
  if (!off || anything_missing()) loaded = tutti_loader_load_backend(&loader.mpi, next);
  loader.entries = off ? NULL : loaded;
  atomic_store_explicit(&loader.loaded, loaded, memory_order_release);
  for (unsigned index = 0; index < TUTTI_CALLS; ++index) {
    void* const served = tutti_loader_entry(loader.entries, name_of(index));
    void* const own = untouched(loaded, index, 1);
    const int direct = served && !tutti_loader_tool(&loader.mpi, name_of(index));
    tutti_loader_profiling[index].own = own;
    tutti_loader_profiling[index].served = served ? served : own;
    atomic_store_explicit(&tutti_loader_slots[index], direct ? served : untouched(loaded, index, 0),
                          memory_order_release);
  }
}

/* Returns 1 when the table is filled; 0 when there is no MPI, or when this very thread is filling it. */
static int bind(const void* caller) {
  const long self = syscall(SYS_gettid);
  while (!atomic_load_explicit(&loader.ready, memory_order_acquire)) {
    long nobody = 0;
    if (atomic_compare_exchange_strong(&loader.binder, &nobody, self)) {
      if (!atomic_load(&loader.ready)) {
        tutti_loader_find_mpi(&loader.mpi, caller);
        if (loader.mpi.handle) fill();
        dlerror(); /* looking for names that are not there must not show in the program's own dlerror */
        atomic_store_explicit(&loader.ready, loader.mpi.handle != NULL, memory_order_release);
      }
      atomic_store(&loader.binder, 0);
      if (!loader.mpi.handle) return 0;
    } else if (nobody == self) {
      return 0;
    } else {
      sched_yield();
    }
  }
  return 1;
}

void* tutti_loader_first_call(unsigned index, void* caller) {
  if (bind(caller)) return atomic_load_explicit(&tutti_loader_slots[index], memory_order_acquire);
  return loader.mpi.handle ? untouched(NULL, index, 0) : (void*)&unavailable;
}

void* tutti_loader_new_caller(unsigned index, void* caller) {
  if (!bind(caller)) return loader.mpi.handle ? untouched(NULL, index, 1) : (void*)&unavailable;
  return tutti_loader_remember_caller(caller, loader.mpi.base) ? tutti_loader_profiling[index].served
                                                               : tutti_loader_profiling[index].own;
}

const struct tutti_entry* tutti_loader_bound(void) {
  return atomic_load_explicit(&loader.ready, memory_order_acquire) ? loader.entries : NULL;
}

const struct tutti_entry* tutti_loader_loaded(void) {
  return atomic_load_explicit(&loader.loaded, memory_order_acquire);
}

const struct tutti_entry* tutti_loader_backend(const void* caller) {
  if (!bind(caller)) {
    unavailable();
    return NULL;
  }
  const long self = syscall(SYS_gettid);
  static atomic_int tried;
  while (!tutti_loader_loaded() && !atomic_load(&tried)) { /* TUTTI=off: it has not been needed so far */
    long nobody = 0;
    if (!atomic_compare_exchange_strong(&loader.binder, &nobody, self)) {
      sched_yield();
      continue;
    }
    if (!tutti_loader_loaded() && !atomic_load(&tried) && switched_off())
      atomic_store_explicit(&loader.loaded, tutti_loader_load_backend(&loader.mpi, next), memory_order_release);
    atomic_store(&tried, 1);
    atomic_store(&loader.binder, 0);
  }
  return tutti_loader_loaded();
}

int tutti_loader_knows(const char* collective) {
  for (unsigned index = 0; index < TUTTI_COLLECTIVES; ++index)
    if (strcasecmp(name_of(index) + strlen("MPI_"), collective) == 0) return 1;
  return 0;
}

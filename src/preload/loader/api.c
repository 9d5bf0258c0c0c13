/* The functions of tutti.h: the backend's answer, or, before the first MPI call and without MPI, that of nothing
   served. */
#include <string.h>

#include "preload/loader/loader.h"
#include "tutti/tutti.h"

#define TUTTI_EXPORT __attribute__((visibility("default")))

TUTTI_EXPORT const char* tutti_version(void) { return TUTTI_VERSION; }

TUTTI_EXPORT int tutti_get_counters(const char* collective, struct tutti_counters* counters) {
  int (*get_counters)(const char*, struct tutti_counters*) = NULL;
  *(void**)&get_counters = tutti_loader_entry(tutti_loader_bound(), "tutti_get_counters");
  if (get_counters) return get_counters(collective, counters);
  memset(counters, 0, sizeof *counters);
  return *collective == '\0' || tutti_loader_knows(collective) ? 0 : -1;
}

TUTTI_EXPORT const char* tutti_last_choice(void) {
  const char* (*last_choice)(void) = NULL;
  *(void**)&last_choice = tutti_loader_entry(tutti_loader_bound(), "tutti_last_choice");
  return last_choice ? last_choice() : "native";
}

/* Also the first call that needs an MPI, where the program is linked with this library after its MPI.  What is not
   there is an error class (other, intern) in every MPI. */
TUTTI_EXPORT int tutti_shared(const struct tutti_shared_call* call, void** result) {
  int (*shared)(const struct tutti_shared_call*, void**) = NULL;
  *(void**)&shared = tutti_loader_entry(tutti_loader_backend(__builtin_return_address(0)), "tutti_shared");
  return shared ? shared(call, result) : 16;
}

/* Results exist only where a backend has made one. */
TUTTI_EXPORT int tutti_free(void* result) {
  int (*free_result)(void*) = NULL;
  *(void**)&free_result = tutti_loader_entry(tutti_loader_loaded(), "tutti_free");
  if (free_result) return free_result(result);
  return result ? 16 : 0;
}

TUTTI_EXPORT enum tutti_result tutti_result_kind(const void* result, const char** reason) {
  enum tutti_result (*kind)(const void*, const char**) = NULL;
  *(void**)&kind = tutti_loader_entry(tutti_loader_loaded(), "tutti_result_kind");
  if (kind) return kind(result, reason);
  if (reason) *reason = "";
  return TUTTI_RESULT_NONE;
}

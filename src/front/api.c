/* The functions of tutti.h: the flavour's answer, or, before the first MPI call and without MPI, that of nothing
   served. */
#include <string.h>

#include "front/front.h"
#include "tutti/tutti.h"

#define TUTTI_EXPORT __attribute__((visibility("default")))

TUTTI_EXPORT const char* tutti_version(void) { return TUTTI_VERSION; }

TUTTI_EXPORT int tutti_get_counters(const char* collective, struct tutti_counters* counters) {
  int (*get_counters)(const char*, struct tutti_counters*) = NULL;
  *(void**)&get_counters = tutti_front_entry(tutti_front_bound(), "tutti_get_counters");
  if (get_counters) return get_counters(collective, counters);
  memset(counters, 0, sizeof *counters);
  return *collective == '\0' || tutti_front_knows(collective) ? 0 : -1;
}

TUTTI_EXPORT const char* tutti_last_choice(void) {
  const char* (*last_choice)(void) = NULL;
  *(void**)&last_choice = tutti_front_entry(tutti_front_bound(), "tutti_last_choice");
  return last_choice ? last_choice() : "native";
}

/* One line on stderr. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "preload/loader/loader.h"

/* MPI is not initialised yet, so the launcher's environment must say which rank this is. */
static int first_rank(void) {
  static const char* const variables[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i) {
    const char* rank = getenv(variables[i]);
    if (rank) return strcmp(rank, "0") == 0;
  }
  return 1;
}

/* Beyond RLIMIT_FSIZE nothing is written, and no SIGXFSZ ends the program. */
static void write_quietly(const char* line, size_t length) {
  const struct timespec at_once = {0, 0};
  sigset_t pending, limit, before;
  sigpending(&pending);
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  sigprocmask(SIG_BLOCK, &limit, &before); /* of this thread alone, on Linux */
  if (write(STDERR_FILENO, line, length) < 0 && !sigismember(&pending, SIGXFSZ)) sigtimedwait(&limit, NULL, &at_once);
  sigprocmask(SIG_SETMASK, &before, NULL);
}

void tutti_loader_warn(const char* format, ...) {
  if (!first_rank()) return;
  char line[tutti_message_length] = "tutti: ";
  const size_t start = strlen(line);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line + start, sizeof line - start - 1, format, arguments);
  va_end(arguments);
  const size_t end = strlen(line);
  line[end] = '\n';
  write_quietly(line, end + 1);
}

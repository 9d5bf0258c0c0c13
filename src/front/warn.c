/* One line on stderr. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "front/front.h"

/* MPI is not initialised yet, so the launcher's environment must say which rank this is. */
static int first_rank(void) {
  static const char* const variables[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i) {
    const char* rank = getenv(variables[i]);
    if (rank) return strcmp(rank, "0") == 0;
  }
  return 1;
}

void tutti_front_warn(const char* format, ...) {
  if (!first_rank()) return;
  char line[tutti_message_length] = "tutti: ";
  const size_t start = strlen(line);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line + start, sizeof line - start - 1, format, arguments);
  va_end(arguments);
  const size_t end = strlen(line);
  line[end] = '\n';
  if (write(STDERR_FILENO, line, end + 1) < 0) return; /* nobody to tell */
}

/* What a job costs before its work begins.
     footprint COMMUNICATORS    one line of JSON from rank 0: microseconds of MPI_Init and of the first calls (the
   slowest rank), and bytes at three moments: after MPI_Init, once collectives are served on the world, and once they
   are on COMMUNICATORS more of all ranks, all kept Of each moment: `private` and `library` are the ranks' parts of
   anonymous and of shared or file-backed memory (PSS), summed over the ranks; `most` is one rank's largest RSS;
   `segments` and `segment_bytes` are tutti's shared memory, counted once, reserved pages included. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLS = 8, ELEMENTS = 1024 };

typedef struct {
  double anonymous, other, resident, segments, segment_bytes;
} Memory;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

/* Sums over the mappings.  tutti's segments are left out of `other`: they are counted by their length. */
static Memory look(void) {
  Memory memory = {0};
  char line[4096], name[4096];
  unsigned long long from, to, pss = 0, anonymous = 0, rss = 0, kilobytes;
  int ours = 0;
  FILE* file = fopen("/proc/self/smaps", "r");
  while (file && fgets(line, sizeof line, file)) {
    name[0] = 0;
    if (sscanf(line, "%llx-%llx %*s %*s %*s %*s %4095s", &from, &to, name) >= 2) {
      ours = strstr(name, "tutti.") == name + 9 || strncmp(name, "/memfd:tutti", 12) == 0;
      if (ours) memory.segments += 1, memory.segment_bytes += (double)(to - from);
    }
    if (sscanf(line, "Rss: %llu", &kilobytes) == 1) rss = kilobytes;
    if (sscanf(line, "Pss: %llu", &kilobytes) == 1) pss = kilobytes;
    if (sscanf(line, "Anonymous: %llu", &kilobytes) == 1) {
      anonymous = kilobytes < pss ? kilobytes : pss;
      memory.resident += (double)rss * 1024;
      if (!ours) memory.anonymous += (double)anonymous * 1024, memory.other += (double)(pss - anonymous) * 1024;
    }
  }
  if (file) fclose(file);
  return memory;
}

static void use(MPI_Comm comm, int times) {
  static int in[ELEMENTS], out[ELEMENTS];
  for (int i = 0; i < times; ++i) {
    MPI_Barrier(comm);
    MPI_Bcast(in, ELEMENTS, MPI_INT, 0, comm);
    MPI_Allreduce(in, out, ELEMENTS, MPI_INT, MPI_SUM, comm);
    MPI_Reduce(in, out, ELEMENTS, MPI_INT, MPI_SUM, 0, comm);
  }
}

/* The rank's first collectives; those after MPI_Init find the others late, so a native barrier by messages is not it.
 */
static void first_calls(double* took) {
  for (int i = 0; i < CALLS; ++i) {
    int in = i, out = 0;
    const double start = now();
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    took[i] = now() - start;
  }
}

static void print_memory(const char* when, Memory mine, int me) {
  const double parts[] = {mine.anonymous, mine.other};
  double sums[2], most = 0;
  PMPI_Reduce(parts, sums, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  PMPI_Reduce(&mine.resident, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (me == 0)
    printf(
        ", \"%s\": {\"private\": %.0f, \"library\": %.0f, \"most\": %.0f, \"segments\": %.0f, \"segment_bytes\": %.0f}",
        when, sums[0], sums[1], most, mine.segments, mine.segment_bytes);
}

int main(int argc, char** argv) {
  double took[CALLS + 1], slowest[CALLS + 1];
  const int count = argc > 1 ? atoi(argv[1]) : 100;
  const double start = now();
  MPI_Init(&argc, &argv);
  took[CALLS] = now() - start;
  int me = 0, size = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &me);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  Memory moments[3];
  moments[0] = look();
  PMPI_Barrier(MPI_COMM_WORLD);
  first_calls(took);
  use(MPI_COMM_WORLD, 2);
  moments[1] = look();
  MPI_Comm* comms = malloc((size_t)(count + 1) * sizeof *comms);
  for (int i = 0; i < count; ++i) {
    MPI_Comm_split(MPI_COMM_WORLD, 0, me, &comms[i]);
    use(comms[i], 3);
  }
  PMPI_Barrier(MPI_COMM_WORLD);
  moments[2] = look();
  PMPI_Reduce(took, slowest, CALLS + 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (me == 0) {
    printf("{\"ranks\": %d, \"communicators\": %d, \"init\": %.1f, \"calls\": [", size, count, slowest[CALLS]);
    for (int i = 0; i < CALLS; ++i) printf("%s%.1f", i ? ", " : "", slowest[i]);
    printf("]");
  }
  print_memory("after_init", moments[0], me);
  print_memory("world", moments[1], me);
  print_memory("all", moments[2], me);
  if (me == 0) printf("}\n");
  for (int i = 0; i < count; ++i) MPI_Comm_free(&comms[i]);
  free(comms);
  MPI_Finalize();
  return 0;
}

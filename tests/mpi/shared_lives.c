/* What may be done with a shared result, and how long.  `shared_lives WHAT`:
     access   a write to a read-only result is a fault; one to a copy on write is seen by this rank alone
     forked   a child reads what its parent has, and its writes stay its own
     lives    a result outlives its communicator and MPI, and can be freed once
     churn N  making and freeing N times leaves no mapping and no descriptor
     errors   wrong arguments, beside PMPI's answer where it has one (shared_lives errors CHECKS)
     kind     prints "shared kind: WORD: REASON"
   Prints "shared WHAT: right". */
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tutti/shared.h"

enum { ints = 50000 };

static int me, size, wrong = 0;
static sigjmp_buf before_write;

static void expect(int holds, const char* what) {
  if (holds) return;
  wrong = 1;
  fprintf(stderr, "rank %d: not so: %s\n", me, what);
}

static void fault(int signal) { siglongjmp(before_write, signal); }

/* Whether a write there is a fault. */
static int guarded(int* place) {
  struct sigaction now = {.sa_handler = fault}, old;
  sigaction(SIGSEGV, &now, &old);
  const int faulted = sigsetjmp(before_write, 1) != 0;
  if (!faulted) *(volatile int*)place = -1;
  sigaction(SIGSEGV, &old, NULL);
  return faulted;
}

static int* table(MPI_Comm comm, unsigned flags) {
  int *mine = malloc(ints * sizeof *mine), *result = NULL;
  for (int i = 0; i < ints; ++i) mine[i] = 3 * i;
  expect(tutti_bcast_shared(mine, ints, MPI_INT, 0, comm, flags, &result) == MPI_SUCCESS, "a table is made");
  free(mine);
  return result;
}

static int intact(const int* result) {
  for (int i = 0; i < ints; ++i)
    if (result[i] != 3 * i) return 0;
  return 1;
}

static void access_rights(void) {
  int *read = table(MPI_COMM_WORLD, TUTTI_READ_ONLY), *write = table(MPI_COMM_WORLD, TUTTI_COPY_ON_WRITE);
  expect(guarded(read) && guarded(read + ints - 1), "a write to a read-only result is a fault");
  expect(intact(read) && intact(write), "both hold the table");
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = me; i < ints; i += 1000) write[i] = -me - 1;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < ints; ++i) expect(write[i] == (i >= me && (i - me) % 1000 == 0 ? -me - 1 : 3 * i), "own writes");
  expect(intact(read), "another result is untouched");
  tutti_free(read), tutti_free(write);
}

static int in_child(int (*work)(int*, int*), int* read, int* write) {
  const pid_t child = fork();
  if (child == 0) _exit(work(read, write));
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int look(int* read, int* write) {
  if (!intact(read) || !intact(write)) return 1;
  write[5] = 77;
  return tutti_free(read) || tutti_free(write) || tutti_result_kind(read, NULL) ? 2 : 0;
}

static int scribble(int* read, int* write) {
  (void)write;
  read[5] = 77;
  return 0;
}

static void forked(void) {
  int *read = table(MPI_COMM_WORLD, TUTTI_READ_ONLY), *write = table(MPI_COMM_WORLD, TUTTI_COPY_ON_WRITE);
  expect(in_child(look, read, write) == 0, "a child reads and frees its own");
  expect(in_child(scribble, read, write) == 128 + SIGSEGV, "a child's write is a fault");
  expect(intact(read) && intact(write), "the parent's are as before");
  tutti_free(read), tutti_free(write);
}

static int* after_mpi = NULL;

static void lives(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  int *first = table(comm, TUTTI_READ_ONLY), *second = table(comm, TUTTI_COPY_ON_WRITE);
  after_mpi = table(comm, TUTTI_READ_ONLY);
  MPI_Comm_free(&comm);
  expect(intact(first) && intact(second) && intact(after_mpi), "results outlive their communicator");
  if (me % 2) expect(tutti_free(first) == MPI_SUCCESS, "freed by some ranks");
  MPI_Barrier(MPI_COMM_WORLD);
  if (me % 2 == 0) expect(intact(first) && tutti_free(first) == MPI_SUCCESS, "the others still have it");
  expect(tutti_free(first) != MPI_SUCCESS && tutti_free(second + 1) != MPI_SUCCESS, "no result: an error");
  expect(tutti_result_kind(first, NULL) == TUTTI_RESULT_NONE, "freed");
  expect(tutti_free(NULL) == MPI_SUCCESS && tutti_free(second) == MPI_SUCCESS, "freed at last");
}

static int lines_with(const char* word) {
  char line[4096];
  int found = 0;
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) found += strstr(line, word) != NULL;
  if (maps) fclose(maps);
  return found;
}

static int descriptors(void) {
  int found = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (folder && readdir(folder)) ++found;
  if (folder) closedir(folder);
  return found;
}

static void churn(int times) {
  tutti_free(table(MPI_COMM_WORLD, 0)); /* what the communicator needs for good is there from now on */
  const int mappings = lines_with("tutti"), open_files = descriptors();
  for (int i = 0; i < times; ++i) {
    int *one = table(MPI_COMM_WORLD, TUTTI_READ_ONLY), *two = table(MPI_COMM_WORLD, TUTTI_COPY_ON_WRITE);
    two[i] = i;
    tutti_free(one), tutti_free(two);
  }
  expect(lines_with("tutti") == mappings && descriptors() == open_files, "nothing is left");
}

static int handled = 0;

static void count_errors(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++handled;
}

/* The class that we give, and the library's own (PMPI) where it checks its arguments. */
static void fails(const char* what, int code, int class_wanted) {
  int class_given = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &class_given);
  if (class_given == class_wanted && handled == 1)
    handled = 0;
  else
    wrong = 1,
    fprintf(stderr, "%s: class %d, not %d; handler called %d times\n", what, class_given, class_wanted, handled);
  handled = 0;
}

static int native_class(int code) {
  int class_given = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &class_given);
  handled = 0;
  return class_given;
}

static void wrong_arguments(MPI_Comm comm, int checks) {
  int mine[8] = {0}, other[64 * 8];
  void* result = mine;
#define SAME(wanted, ours, theirs) fails(#ours, ours, checks ? native_class(theirs) : wanted)
  SAME(MPI_ERR_ROOT, tutti_bcast_shared(mine, 1, MPI_INT, size, comm, 0, &result),
       PMPI_Bcast(mine, 1, MPI_INT, size, comm));
  SAME(MPI_ERR_ROOT, tutti_bcast_shared(mine, 1, MPI_INT, -5, comm, 0, &result),
       PMPI_Bcast(mine, 1, MPI_INT, -5, comm));
  SAME(MPI_ERR_COUNT, tutti_bcast_shared(mine, -1, MPI_INT, 0, comm, 0, &result),
       PMPI_Bcast(mine, -1, MPI_INT, 0, comm));
  SAME(MPI_ERR_TYPE, tutti_bcast_shared(mine, 1, MPI_DATATYPE_NULL, 0, comm, 0, &result),
       PMPI_Bcast(mine, 1, MPI_DATATYPE_NULL, 0, comm));
  SAME(MPI_ERR_OP, tutti_allreduce_shared(mine, 1, MPI_INT, MPI_OP_NULL, comm, 0, &result),
       PMPI_Allreduce(mine, other, 1, MPI_INT, MPI_OP_NULL, comm));
  SAME(MPI_ERR_OP, tutti_allreduce_shared(mine, 1, MPI_DOUBLE, MPI_BAND, comm, 0, &result),
       PMPI_Allreduce(mine, other, 1, MPI_DOUBLE, MPI_BAND, comm));
  SAME(MPI_ERR_COUNT, tutti_allgather_shared(mine, -2, MPI_INT, -2, MPI_INT, comm, 0, &result),
       PMPI_Allgather(mine, -2, MPI_INT, other, -2, MPI_INT, comm));
#undef SAME
  fails("flags", tutti_bcast_shared(mine, 1, MPI_INT, 0, comm, 8, &result), MPI_ERR_ARG);
  fails("no place", tutti_bcast_shared(mine, 1, MPI_INT, 0, comm, 0, NULL), MPI_ERR_ARG);
  fails("in place", tutti_allgather_shared(MPI_IN_PLACE, 1, MPI_INT, 1, MPI_INT, comm, 0, &result), MPI_ERR_BUFFER);
  fails("own block", tutti_allgather_shared(mine, 2, MPI_INT, 1, MPI_INT, comm, 0, &result), MPI_ERR_TRUNCATE);
  fails("too long", tutti_bcast_shared(mine, (MPI_Count)1 << 61, MPI_INT, 0, comm, 0, &result), MPI_ERR_NO_MEM);
  fails("more than there is", tutti_bcast_shared(mine, (MPI_Count)1 << 44, MPI_INT, 0, comm, 0, &result),
        MPI_ERR_NO_MEM);
  expect(result == NULL, "no result where there is an error");
}

/* Lengths that differ from rank to rank are an error on all. */
static void different_lengths(MPI_Comm comm) {
  int mine[8] = {0};
  void* result = mine;
  fails("lengths", tutti_bcast_shared(mine, 1 + (me == size - 1), MPI_INT, 0, comm, 0, &result), MPI_ERR_TRUNCATE);
}

static void between_groups(MPI_Errhandler counting) {
  MPI_Comm half, inter;
  int mine = 0;
  void* result = NULL;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me % 2 ? 0 : 1, 5, &inter);
  MPI_Comm_set_errhandler(inter, counting);
  fails("intercommunicator", tutti_bcast_shared(&mine, 1, MPI_INT, 0, inter, 0, &result), MPI_ERR_COMM);
  MPI_Comm_free(&inter), MPI_Comm_free(&half);
}

static void errors(int checks) {
  MPI_Comm comm;
  MPI_Errhandler counting;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(count_errors, &counting);
  MPI_Comm_set_errhandler(comm, counting);
  for (int round = 0; round < 2; ++round) {
    wrong_arguments(comm, checks);
    if (size > 1) different_lengths(comm);
    int* result = table(comm, 0);
    expect(result && intact(result), "a right call after wrong ones");
    tutti_free(result);
  }
  if (size > 1) between_groups(counting);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, counting);
  void* result = NULL;
  fails("no communicator", tutti_bcast_shared(&result, 1, MPI_INT, 0, MPI_COMM_NULL, 0, &result), MPI_ERR_COMM);
  MPI_Errhandler_free(&counting);
  MPI_Comm_free(&comm);
}

static void kind(void) {
  static const char* const words[] = {"none", "shared", "copy on write", "private"};
  for (unsigned flags = 0; flags < 2; ++flags) {
    const char* reason = NULL;
    int* result = table(MPI_COMM_WORLD, flags);
    expect(result && intact(result) && (flags || guarded(result)), "the table, guarded as asked");
    const enum tutti_result is = tutti_result_kind(result, &reason);
    printf("shared kind: %s: %s\n", words[is], reason);
    tutti_free(result);
  }
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  const int number = argc > 2 ? atoi(argv[2]) : 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!strcmp(what, "access")) access_rights();
  if (!strcmp(what, "forked")) forked();
  if (!strcmp(what, "lives")) lives();
  if (!strcmp(what, "churn")) churn(number);
  if (!strcmp(what, "errors")) errors(number);
  if (!strcmp(what, "kind")) kind();
  int any = 0;
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  if (after_mpi && (!intact(after_mpi) || tutti_free(after_mpi))) any = 1;
  if (me == 0 && !any) printf("shared %s: right\n", what);
  return any;
}

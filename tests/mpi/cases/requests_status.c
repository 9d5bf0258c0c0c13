/* What asks about a request and does not complete it, and what may not be done to it.  `status`: MPI_Request_get_status
   until it says so, which completes nothing, moves what is under way, and may be asked again (MPI 4.1's of all, any and
   some too).  `wrong`: wrong arguments of nonblocking and persistent ones are told to the communicator's error handler,
   whichever it is, start nothing, and later calls work.  `cancel`: MPI_Cancel of an active collective is an error; it
   completes nevertheless.  `free`: an inactive one may be freed, and an active one may not.
   @run 1,2,3,5 status
   @run[openmpi,impi,debian-mpich] 2,3 wrong
   @run 2,3 cancel
   @run 2,3 free */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "requests.h"
#include "requests_jobs.h"

static MPI_Comm world;
static int told, told_class;

static void expect_flag(int flag, int wanted, const char* what) {
  if (flag != wanted) complain("%s: flag %d", what, flag);
}

/* Complete, and told so as often as asked; only Wait ends it. */
static void asked_twice(MPI_Request* request, int persists, const char* what) {
  MPI_Status status;
  const MPI_Request before = *request;
  int flag = 0;
  for (int i = 0; i < 3; ++i) {
    blank(&status);
    do {
      expect_success(MPI_Request_get_status(*request, &flag, i == 1 ? MPI_STATUS_IGNORE : &status), "get_status");
    } while (i == 0 && !flag);
    expect_flag(flag, 1, what);
    if (i != 1 && cancelled(&status)) complain("%s: cancelled", what);
  }
  if (*request != before) complain("%s: get_status changes the request", what);
  MPI_Test(request, &flag, &status), expect_flag(flag, 1, "Test after get_status");
  if (persists ? *request != before : *request != MPI_REQUEST_NULL) complain("%s: request after Test", what);
  blank(&status), flag = 0;
  MPI_Request_get_status(*request, &flag, &status);
  expect_flag(flag, 1, "get_status of no active request");
  expect_empty(&status, what);
}

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
static void asked_of_many(void) {
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL}, before[3];
  int flag = 0, index = -7, number = 0, indices[3];
  MPI_Status statuses[3];
  struct job *first = job_new(allreduce, world, 9, 3, 0), *second = job_new(alltoallv, world, 9, 3, 0);
  if (!dlsym(RTLD_DEFAULT, "MPI_Request_get_status_all")) return;
  job_start(first, &requests[0]), job_start(second, &requests[2]);
  memcpy(before, requests, sizeof before);
  while (!flag) MPI_Request_get_status_any(3, requests, &index, &flag, statuses);
  if (index != 0 && index != 2) complain("get_status_any: index %d", index);
  /* MPICH 5.0's moves nothing while it has one to tell of: so one is enough. */
  while (number < 1) MPI_Request_get_status_some(3, requests, &number, indices, statuses);
  if (number > 2 || indices[0] % 2 != 0 || (number == 2 && indices[1] != 2)) complain("get_status_some: %d", number);
  for (flag = 0; !flag;) MPI_Request_get_status_all(3, requests, &flag, MPI_STATUSES_IGNORE);
  if (memcmp(before, requests, sizeof before) != 0) complain("get_status of many changes requests");
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  job_check(first, "get_status_any"), job_check(second, "get_status_any");
  job_free(first), job_free(second);
}
#else
static void asked_of_many(void) {}
#endif

static void statuses_asked(void) {
  for (int turn = 0; turn < 5 * collectives; ++turn) {
    MPI_Request request;
    struct job* job = job_new((enum collective)(turn % collectives), world, turn % 2 ? 7 : 20000, turn, 0);
    job_start(job, &request);
    asked_twice(&request, 0, names[job->which]);
    job_check(job, "get_status"), job_free(job);
    asked_of_many();
  }
#if HAS_PERSISTENT
  static const enum collective steady[] = {barrier, bcast, reduce, allreduce, scan};
  for (int turn = 0; turn < 30; ++turn) {
    MPI_Request request;
    struct job* job = job_new(steady[turn % 5], world, 7, turn, 0);
    job_call(job, persistent, &request);
    for (int i = 0; i < 5; ++i) {
      job_fill(job, turn + i);
      MPI_Start(&request), asked_twice(&request, 1, "persistent");
      job_check(job, "get_status of a persistent one");
    }
    MPI_Request_free(&request), job_free(job);
  }
#endif
}

static void handler(MPI_Comm* comm, int* code, ...) {
  ++told;
  if (*comm == MPI_COMM_NULL) complain("the handler has no communicator");
  MPI_Error_class(*code, &told_class);
}

/* An error of that class, or of another that would do, told to the handler where there is one. */
static void expect_error(int code, int class, int other, int handled, const char* what) {
  int got = 0;
  MPI_Error_class(code, &got);
  if (got != class && got != other) complain("%s: class %d, not %d", what, got, class);
  if (told != handled || (handled && told_class != got)) complain("%s: the handler is called %d times", what, told);
  told = 0;
}

static void mistakes(MPI_Comm comm, int handled) {
  int word = 3, sum = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  expect_error(MPI_Ibcast(&word, -1, MPI_INT, 0, comm, &request), MPI_ERR_COUNT, MPI_ERR_ARG, handled, "count");
  expect_error(MPI_Ibcast(&word, 1, MPI_INT, size, comm, &request), MPI_ERR_ROOT, MPI_ERR_ARG, handled, "root");
  expect_error(MPI_Ibcast(&word, 1, MPI_DATATYPE_NULL, 0, comm, &request), MPI_ERR_TYPE, MPI_ERR_ARG, handled, "type");
  expect_error(MPI_Iallreduce(&word, &sum, 1, MPI_INT, MPI_OP_NULL, comm, &request), MPI_ERR_OP, MPI_ERR_ARG, handled,
               "operator");
  if (request != MPI_REQUEST_NULL) complain("an error starts a request");
#if HAS_PERSISTENT
  expect_error(MPI_Bcast_init(&word, -1, MPI_INT, 0, comm, MPI_INFO_NULL, &request), MPI_ERR_COUNT, MPI_ERR_ARG,
               handled, "count of _init");
  expect_error(MPI_Bcast_init(&word, 1, MPI_INT, -5, comm, MPI_INFO_NULL, &request), MPI_ERR_ROOT, MPI_ERR_ARG, handled,
               "root of _init");
#endif
}

static void works(MPI_Comm comm, int turn) {
  MPI_Request request;
  struct job* job = job_new((enum collective)(turn % collectives), comm, 8, turn, 0);
  job_start(job, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  job_check(job, "after errors"), job_free(job);
}

/* Mistakes on one rank alone, another one in each turn. */
static void wrong_arguments(void) {
  MPI_Errhandler own;
  MPI_Comm_create_errhandler(handler, &own);
  for (int turn = 0; turn < 20; ++turn) {
    MPI_Comm comm;
    int word = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, turn % 2 ? own : MPI_ERRORS_RETURN);
    for (int i = 0; i < turn % 4; ++i) works(comm, turn + i);
    if (me == turn % size) mistakes(comm, turn % 2);
    for (int i = 0; i < 3; ++i) works(comm, turn + i);
    MPI_Comm_free(&comm);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, turn % 2 ? own : MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, turn % 2 ? own : MPI_ERRORS_RETURN);
    const int code = MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_NULL, &request);
    expect_error(code, MPI_ERR_COMM, MPI_ERR_ARG, turn % 2, "null communicator");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&own);
}

/* Both are errors of the program; what the MPI does about them, it does at once, and the collective goes on. */
static void forbidden(int frees) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int turn = 0; turn < 20; ++turn) {
    MPI_Request request;
    MPI_Status status;
    struct job* job = job_new(turn % 2 ? allreduce : barrier, world, 8, turn, 0);
    job_start(job, &request);
    MPI_Request kept = request;
    const int code = frees ? MPI_Request_free(&kept) : MPI_Cancel(&request);
    if (turn == 0 && me == 0)
      printf("%s of an active one: %s\n", frees ? "Request_free" : "Cancel", code ? "error" : "ok");
    if (!frees && code == MPI_SUCCESS) complain("Cancel of a collective is accepted");
    blank(&status);
    if (code != MPI_SUCCESS || !frees) MPI_Wait(&request, &status);
    if (!frees && cancelled(&status)) complain("cancelled");
    if (!frees) job_check(job, "after Cancel");
    if (frees) MPI_Barrier(world);
    if (!frees || code != MPI_SUCCESS) job_free(job);
    works(world, turn);
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv, 60);
  const char* mode = argc > 1 ? argv[1] : "status";
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  if (strcmp(mode, "status") == 0) statuses_asked();
  if (strcmp(mode, "wrong") == 0) wrong_arguments();
  if (strcmp(mode, "cancel") == 0) forbidden(0);
  if (strcmp(mode, "free") == 0) forbidden(1);
  MPI_Comm_free(&world);
  return end();
}

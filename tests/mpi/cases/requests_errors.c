/* A collective that fails while it is under way: the root of a gather has a block for itself that is longer than it has
   room for.  Whoever completes it is told, once: by the call's code where it completes one request, by
   MPI_ERR_IN_STATUS and the statuses where it may complete several, with the other requests' completion as ever; and by
   the communicator's error handler.  The next calls work.  An MPI may say it at the start instead; the calls that tutti
   serves say it here.  Arguments: calls.
   @run 2,3 Wait Waitall Waitany Waitsome Test Testall Testany Testsome */
#include "requests.h"
#include "requests_jobs.h"

enum { most = 8, length = 12, turns = 20 };
static MPI_Comm comm;
static int told, told_class, at_start, later;

static void handler(MPI_Comm* where, int* code, ...) {
  (void)where;
  ++told;
  MPI_Error_class(*code, &told_class);
}

static int class_of(int code) {
  int class = -1;
  MPI_Error_class(code, &class);
  return class;
}

/* Of two requests, the collective's at `at` and a message's: completes both; gives the code of the call that told of
   the collective, and puts its status into `status`. */
static int complete(const char* how, MPI_Request* requests, int at, MPI_Status* status, int ignored) {
  MPI_Status statuses[2];
  int code = MPI_SUCCESS, flag = 0, done = 0, indices[2], number = 0, index = 0;
  blank(&statuses[0]), blank(&statuses[1]);
  MPI_Status* const several = ignored ? MPI_STATUSES_IGNORE : statuses;
  if (strcmp(how, "Wait") == 0 || strcmp(how, "Test") == 0) {
    for (int i = 0; i < 2; ++i) {
      int one = MPI_SUCCESS;
      if (how[0] == 'W') one = MPI_Wait(&requests[i], &statuses[i]);
      for (flag = 0; how[0] == 'T' && !flag && one == MPI_SUCCESS;) one = MPI_Test(&requests[i], &flag, &statuses[i]);
      if (i == at) code = one;
      if (i != at) expect_success(one, how);
    }
    *status = statuses[at];
  } else if (strstr(how, "all")) {
    if (how[0] == 'W') code = MPI_Waitall(2, requests, several);
    while (how[0] == 'T' && !flag && code == MPI_SUCCESS) code = MPI_Testall(2, requests, &flag, several);
    if (code != MPI_SUCCESS && class_of(code) != MPI_ERR_IN_STATUS) complain("%s: class %d", how, class_of(code));
    if (code != MPI_SUCCESS && !ignored && statuses[1 - at].MPI_ERROR != MPI_SUCCESS)
      complain("%s: the message's MPI_ERROR is %d", how, statuses[1 - at].MPI_ERROR);
    *status = statuses[at];
  } else {
    for (int any = strstr(how, "any") != NULL; done < 2;) {
      int one = MPI_SUCCESS;
      flag = 1, index = -1, number = 1;
      if (any && how[0] == 'W') one = MPI_Waitany(2, requests, &index, statuses);
      if (any && how[0] == 'T') one = MPI_Testany(2, requests, &index, &flag, statuses);
      if (!any && how[0] == 'W') one = MPI_Waitsome(2, requests, &number, indices, several);
      if (!any && how[0] == 'T') one = MPI_Testsome(2, requests, &number, indices, several);
      if (any) number = flag, indices[0] = index;
      for (int i = 0; i < number; ++i, ++done) {
        if (indices[i] == at) code = one, *status = statuses[i];
        if (indices[i] != at && !any && one != MPI_SUCCESS && !ignored && statuses[i].MPI_ERROR != MPI_SUCCESS)
          complain("%s: the message's MPI_ERROR is %d", how, statuses[i].MPI_ERROR);
      }
      if (!any && one != MPI_SUCCESS && class_of(one) != MPI_ERR_IN_STATUS)
        complain("%s: class %d", how, class_of(one));
    }
  }
  return code;
}

static void once(const char* how, int turn) {
  static int many[most * length], one[2 * length];
  const int bad = turn % 4 == 3 && me == 0, at = turn % 2, next = (me + 1) % size, previous = (me + size - 1) % size;
  const int ignored = turn % 8 == 7, several = strstr(how, "all") || strstr(how, "some");
  MPI_Request requests[2];
  MPI_Status status;
  int got = -1;
  for (int i = 0; i < 2 * length; ++i) one[i] = me + turn;
  memset(many, -1, sizeof many);
  told = 0, blank(&status);
  int code = MPI_Igather(one, bad ? 2 * length : length, MPI_INT, many, length, MPI_INT, 0, comm, &requests[at]);
  if (code != MPI_SUCCESS) {
    if (!bad || told != 1) complain("a start fails in turn %d, the handler is called %d times", turn, told);
    ++at_start, requests[at] = MPI_REQUEST_NULL;
  }
  const int expected = bad && code == MPI_SUCCESS;
  MPI_Irecv(&got, 1, MPI_INT, previous, 5, comm, &requests[1 - at]);
  MPI_Send(&turn, 1, MPI_INT, next, 5, comm);
  if (code != MPI_SUCCESS) {
    MPI_Wait(&requests[1 - at], MPI_STATUS_IGNORE);
  } else {
    told = 0;
    code = complete(how, requests, at, &status, ignored);
    if (expected != (code != MPI_SUCCESS)) complain("%s in turn %d: code %d", how, turn, code);
    if (expected && !told) complain("%s: the handler is not called", how);
    if (expected && told_class != MPI_ERR_TRUNCATE && told_class != MPI_ERR_IN_STATUS)
      complain("%s: the handler is told class %d", how, told_class);
    if (expected && !several && class_of(code) != MPI_ERR_TRUNCATE) complain("%s: class %d", how, class_of(code));
    if (expected && several && !ignored && class_of(status.MPI_ERROR) != MPI_ERR_TRUNCATE)
      complain("%s: MPI_ERROR is of class %d", how, class_of(status.MPI_ERROR));
    later += expected;
  }
  if (requests[0] != MPI_REQUEST_NULL || requests[1] != MPI_REQUEST_NULL) complain("%s leaves a request", how);
  if (got != turn) complain("%s: the message has %d in turn %d", how, got, turn);
  for (int i = length; !bad && me == 0 && i < size * length; ++i)
    if (many[i] != i / length + turn) complain("%s: %d at %d in turn %d", how, many[i], i, turn);
}

int main(int argc, char** argv) {
  MPI_Errhandler own;
  begin(&argc, &argv, 60);
  MPI_Comm_create_errhandler(handler, &own);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, own);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  settle(comm);
  for (int i = 1; i < argc; ++i)
    for (int turn = 0; turn < turns; ++turn) once(argv[i], turn), MPI_Barrier(MPI_COMM_WORLD);
  if (me == 0) printf("errors: %d at a start, %d at a completion\n", at_start, later);
  MPI_Errhandler_free(&own);
  MPI_Comm_free(&comm);
  return end();
}

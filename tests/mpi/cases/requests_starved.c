/* A rank awaits a long message, which moves only while it is in the MPI, and completes a collective of ours that its
   partner starts once the message is sent: what waits or tests for ours moves the MPI's own messages.  Arguments: what
   the rank completes its collective by.
   @run 2,3 Wait Waitall Waitany Waitsome Test Testall Testany Testsome get_status */
#include "requests.h"
#include "requests_jobs.h"

enum { words = 1 << 22 };
static int *out, *in;
static MPI_Comm work;

static void complete(const char* how, MPI_Request* request) {
  MPI_Request several[2] = {MPI_REQUEST_NULL, *request};
  int flag = 0, index = -1, number = 0, indices[2];
  if (strcmp(how, "Wait") == 0) MPI_Wait(&several[1], MPI_STATUS_IGNORE);
  if (strcmp(how, "Waitall") == 0) MPI_Waitall(2, several, MPI_STATUSES_IGNORE);
  if (strcmp(how, "Waitany") == 0) MPI_Waitany(2, several, &index, MPI_STATUS_IGNORE);
  if (strcmp(how, "Waitsome") == 0) MPI_Waitsome(2, several, &number, indices, MPI_STATUSES_IGNORE);
  while (strcmp(how, "Test") == 0 && !flag) MPI_Test(&several[1], &flag, MPI_STATUS_IGNORE);
  while (strcmp(how, "Testall") == 0 && !flag) MPI_Testall(2, several, &flag, MPI_STATUSES_IGNORE);
  while (strcmp(how, "Testany") == 0 && !flag) MPI_Testany(2, several, &index, &flag, MPI_STATUS_IGNORE);
  while (strcmp(how, "Testsome") == 0 && number == 0) MPI_Testsome(2, several, &number, indices, MPI_STATUSES_IGNORE);
  while (strcmp(how, "get_status") == 0 && !flag) MPI_Request_get_status(several[1], &flag, MPI_STATUS_IGNORE);
  if (strcmp(how, "get_status") == 0) MPI_Wait(&several[1], MPI_STATUS_IGNORE);
  if (several[1] != MPI_REQUEST_NULL) complain("%s leaves the request", how);
}

static void once(const char* how, int turn) {
  MPI_Request request, message = MPI_REQUEST_NULL;
  struct job* job = job_new(turn % 2 ? allreduce : barrier, work, 5, turn, 0);
  const int to = turn % 2 ? size - 1 : 0, from = turn % 2 ? 0 : size - 1;
  if (me == to) MPI_Irecv(in, words, MPI_INT, from, 3, work, &message);
  if (me == from) MPI_Send(out, words, MPI_INT, to, 3, work);
  job_start(job, &request);
  complete(how, &request);
  job_check(job, how), job_free(job);
  MPI_Wait(&message, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  begin(&argc, &argv, 60);
  out = calloc(words, sizeof(int)), in = calloc(words, sizeof(int));
  MPI_Comm_dup(MPI_COMM_WORLD, &work);
  settle(work);
  for (int i = 1; i < argc; ++i)
    for (int turn = 0; turn < 4; ++turn) once(argv[i], turn);
  MPI_Comm_free(&work);
  free(out), free(in);
  return end();
}

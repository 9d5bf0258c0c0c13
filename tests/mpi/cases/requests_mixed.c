/* Calls of all kinds in numbers: nonblocking collectives of which up to a few hundred are outstanding, persistent ones
   that start again and again, blocking ones between them, on ten communicators; completed by chance, each result
   compared with what it must be.  Argument: calls.  `make stress` runs ten million.  All communicators are to be
   served: of what Open MPI begins by itself some never ends.
   @run 2 TUTTI_NODE_MEMORY=512M 20000
   @run 3,4,5 TUTTI_NODE_MEMORY=512M 3000
   @run 8 TUTTI_NODE_MEMORY=512M 1000
   @run[wheel-mpich,openmpi] 3 TUTTI_NODE_MEMORY=512M TUTTI_PRETEND_NODES=block:2 WIRES=nodes 2000 */
#include "requests.h"
#include "requests_jobs.h"

enum { comms_count = 10, most = 256, kept_count = 32, longest_few = 12 };

/* A call under way, or a persistent request that may start again. */
struct entry {
  struct job* job;
  MPI_Request request;
  int active;
};

static MPI_Comm comms[comms_count];
static struct entry entries[most + kept_count]; /* the last ones are persistent */
static unsigned alike, own;                     /* chance: the same on all ranks, and each rank's own */
static long started, completed;

static int entries_used(void) { return HAS_PERSISTENT ? most + kept_count : most; }

static void make_comms(void) {
  for (int c = 0; c < comms_count; ++c) {
    const int order = c % 3 == 1 ? size - me : me;
    MPI_Comm_split(MPI_COMM_WORLD, c % 5 == 4 && size > 3 ? me % 2 : 0, order, &comms[c]);
    set_up_wires(comms[c]), settle(comms[c]);
  }
}

/* Mostly short: what the engine does in one turn, and now and then what it streams. */
static int drawn_count(void) { return drawn(&alike, 50) == 0 ? 3000 + drawn(&alike, 9000) : drawn(&alike, 40); }

static struct job* drawn_job(void) {
  const int c = drawn(&alike, comms_count), which = drawn(&alike, collectives), count = drawn_count();
  const int turn = drawn(&alike, 5000), in_place = drawn(&alike, 4) == 0;
  return job_new((enum collective)which, comms[c], count, turn, in_place);
}

static void finished(struct entry* entry, const char* how) {
  job_check(entry->job, how);
  entry->active = 0, ++completed;
  if (entry - entries >= most) return;
  if (entry->request != MPI_REQUEST_NULL) complain("%s leaves a request of %s", how, names[entry->job->which]);
  job_free(entry->job), entry->job = NULL;
}

/* Completes what one call completes of a few active ones, from a place of the rank's own on.  MPICH's own Testall calls
   an active persistent collective of its own an error. */
static void complete_some(void) {
  struct entry* few[longest_few];
  MPI_Request requests[longest_few];
  int indices[longest_few], tried = 0, number = 0, flag = 1;
  const int how = drawn(&own, 8), used = how == 7 ? most : entries_used(), wanted = 1 + drawn(&own, longest_few);
  const int from = drawn(&own, used);
  static const char* const calls[] = {"Wait",     "Test",     "Waitany", "Testany",
                                      "Waitsome", "Testsome", "Waitall", "Testall"};
  for (int i = 0; i < used && tried < wanted; ++i) {
    struct entry* const each = &entries[(from + i) % used];
    if (each->active) requests[tried] = each->request, few[tried++] = each;
  }
  if (tried == 0) return;
  if (how < 2) number = tried = 1, indices[0] = 0;
  if (how == 0) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  if (how == 1) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  if (how == 2) number = 1, MPI_Waitany(tried, requests, &indices[0], MPI_STATUS_IGNORE);
  if (how == 3) number = 1, MPI_Testany(tried, requests, &indices[0], &flag, MPI_STATUS_IGNORE);
  if (how == 4) MPI_Waitsome(tried, requests, &number, indices, MPI_STATUSES_IGNORE);
  if (how == 5) MPI_Testsome(tried, requests, &number, indices, MPI_STATUSES_IGNORE);
  if (how == 6) MPI_Waitall(tried, requests, MPI_STATUSES_IGNORE);
  if (how == 7) MPI_Testall(tried, requests, &flag, MPI_STATUSES_IGNORE);
  if (how >= 6) number = tried;
  for (int i = 0; i < tried; ++i) few[i]->request = requests[i];
  for (int i = 0; i < number && flag; ++i) finished(few[how >= 6 ? i : indices[i]], calls[how]);
}

static void wait_for(struct entry* entry) {
  if (!entry->active) return;
  MPI_Wait(&entry->request, MPI_STATUS_IGNORE);
  finished(entry, "Wait");
}

static void start_plain(void) {
  struct entry* const entry = &entries[started % most];
  wait_for(entry);
  entry->job = drawn_job(), entry->active = 1;
  job_call(entry->job, drawn(&alike, 3) == 0 && HAS_LARGE ? large_nonblocking : nonblocking, &entry->request);
}

static void start_persistent(void) {
  struct entry* const entry = &entries[most + drawn(&alike, kept_count)];
  wait_for(entry);
  if (!entry->job)
    entry->job = drawn_job(), job_call(entry->job, persistent, &entry->request);
  else
    job_fill(entry->job, drawn(&alike, 5000));
  entry->active = 1;
  MPI_Start(&entry->request);
}

static void call_blocking(void) {
  struct entry entry = {drawn_job(), MPI_REQUEST_NULL, 1};
  job_call(entry.job, blocking_served, &entry.request);
  job_check(entry.job, "blocking"), job_free(entry.job);
  ++completed;
}

int main(int argc, char** argv) {
  const long calls = argc > 1 ? atol(argv[argc - 1]) : 20000;
  begin(&argc, &argv, 120 + (unsigned)(calls / 500));
  alike = 1, own = 7 + (unsigned)me;
  make_comms();
  for (started = 0; started < calls && wrong == 0; ++started) {
    const int kind = drawn(&alike, 10);
    if (kind < 5 || (kind < 8 && !HAS_PERSISTENT))
      start_plain();
    else if (kind < 8)
      start_persistent();
    else
      call_blocking();
    for (int times = drawn(&own, 3); times > 0; --times) complete_some();
  }
  for (int i = 0; i < entries_used(); ++i) wait_for(&entries[i]);
  if (completed != started) complain("%ld calls started, %ld completed", started, completed);
  for (int i = most; i < entries_used(); ++i)
    if (entries[i].job) MPI_Request_free(&entries[i].request), job_free(entries[i].job);
  for (int c = 0; c < comms_count; ++c) MPI_Comm_free(&comms[c]);
  return end();
}

/* Requests of every kind in every mix, completed by every call: nonblocking and persistent collectives, null and
   inactive requests, messages (persistent ones as well), and nonblocking collectives that only the MPI has, by Wait and
   Test of one, all, any and some, with statuses and without: requests, indices, statuses, results.  Ranks order their
   arrays differently.  Arguments: the stride; mixes without persistent collectives, with, or inactive.
   @run 2 1 plain Wait Waitall Waitany Waitsome Test Testall Testsome
   @run 2,3 1 plain Testany
   @run 2 1 persistent Wait Waitall Waitany Waitsome Test Testany Testsome
   @run 2 1 persistent Testall
   @run 2 1 inactive Wait Waitany Waitsome Test Testany Testsome
   @run 2 1 inactive Waitall Testall
   @run 1,3 3 plain Wait Waitall Waitany Waitsome Test Testall Testsome
   @run 3 3 persistent Wait Waitall Waitany Waitsome Test Testany Testsome
   @run 3 3 inactive Wait Waitany Waitsome Test Testany Testsome
   @run 5 7 plain Wait Waitall Waitany Waitsome Test Testall Testsome
   @run 5 7 persistent Wait Waitall Waitany Waitsome Test Testany Testsome
   @run 5 7 inactive Wait Waitany Waitsome Test Testany Testsome
   @run 8 29 plain Wait Waitall Waitany Waitsome Test Testall Testsome
   @run 3 3 persistent Testall
   @run[wheel-mpich,openmpi] 2 3 TUTTI_PRETEND_NODES=block:1 WIRES=nodes plain Wait Waitall Waitany Test Testall
   @run[wheel-mpich,openmpi] 3 7 TUTTI_PRETEND_NODES=block:2 WIRES=nodes persistent Wait Waitall Waitany Test Testsome
 */
#include "requests_jobs.h"

enum kind { ours, ours_persistent, nothing, message, message_persistent, others, inactive, ours_inactive, kinds };
enum how { wait_each, wait_all, wait_any, wait_some, test_each, test_all, test_any, test_some, hows };
enum { most = 16, words = 40 };
static const char* const calls[] = {"Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome"};

struct item {
  enum kind kind;
  MPI_Request request; /* as it was when it started */
  struct job* job;
  int receives, tag, done, *data;
};

static struct item made[most], items[most];
static MPI_Request requests[most];
static MPI_Status statuses[most + 1];
static int count, turn, next, previous, ignored, around[2], from_around[2], sent[words], received[words];
static enum how how;
static MPI_Comm world, ring, copy = MPI_COMM_NULL;
static struct job *pool[collectives], *idle_job;
static MPI_Request pooled[collectives], never, message_never, message_pool[2];
static int pool_sent[words], pool_received[words], idle_word;

/* Those that Intel MPI and MPICH 4.0 get right: of others they copy a rank's own block at _init alone. */
static const enum collective right_on_all[] = {barrier, bcast, reduce, allreduce, scan, exscan, reduce_scatter_block};
enum { steady = sizeof right_on_all / sizeof *right_on_all };

static void make_pool(void) {
  MPI_Recv_init(pool_received, words, MPI_INT, previous, 78, MPI_COMM_WORLD, &message_pool[0]);
  MPI_Send_init(pool_sent, words, MPI_INT, next, 78, MPI_COMM_WORLD, &message_pool[1]);
  MPI_Recv_init(&idle_word, 1, MPI_INT, previous, 79, MPI_COMM_WORLD, &message_never);
  never = message_never;
#if HAS_PERSISTENT
  for (int i = 0; i < steady; ++i) {
    pool[i] = job_new(right_on_all[i], world, 1 + i * 3, i, i % 3 == 2);
    job_call(pool[i], persistent, &pooled[i]);
  }
  idle_job = job_new(allreduce, world, 3, 1, 0);
  job_call(idle_job, persistent, &never);
#endif
}

static void free_pool(void) {
  if (never != message_never) MPI_Request_free(&never), job_free(idle_job);
  for (int i = 0; i < steady && HAS_PERSISTENT; ++i) MPI_Request_free(&pooled[i]), job_free(pool[i]);
  MPI_Request_free(&message_never), MPI_Request_free(&message_pool[0]), MPI_Request_free(&message_pool[1]);
}

static struct item* add(enum kind kind) {
  made[count] = (struct item){.kind = kind, .request = MPI_REQUEST_NULL};
  return &made[count++];
}

static void add_collectives(int persistent_ones) {
  for (int i = 0; i < 2; ++i) {
    const int which = (2 * turn + i) % (persistent_ones ? steady : collectives);
    struct item* new = add(persistent_ones ? ours_persistent : ours);
    new->job = persistent_ones ? pool[which] : job_new((enum collective)which, world, turn % 50, turn, turn % 4 == 1);
    if (persistent_ones) {
      job_fill(new->job, turn), new->request = pooled[which];
      expect_success(MPI_Start(&new->request), "Start");
      if (new->request != pooled[which]) complain("Start changes the request of %s", names[new->job->which]);
    } else {
      job_start(new->job, &new->request);
      if (new->request == MPI_REQUEST_NULL) complain("%s gives no request", names[which]);
    }
  }
}

static void add_messages(int persistent_ones) {
  int *out = persistent_ones ? pool_sent : sent, *in = persistent_ones ? pool_received : received;
  const int tag = persistent_ones ? 78 : 80 + turn % 9;
  for (int i = 0; i < words; ++i) out[i] = me * 1000 + turn + i, in[i] = -1;
  for (int sends = 0; sends < 2; ++sends) {
    struct item* new = add(persistent_ones ? message_persistent : message);
    new->receives = !sends, new->tag = tag, new->data = in;
    if (persistent_ones)
      new->request = message_pool[sends], MPI_Start(&new->request);
    else if (sends)
      MPI_Isend(out, words, MPI_INT, next, tag, MPI_COMM_WORLD, &new->request);
    else
      MPI_Irecv(in, words, MPI_INT, previous, tag, MPI_COMM_WORLD, &new->request);
  }
}

static void add_others(void) {
  struct item* new = add(others);
  around[0] = me + turn, from_around[0] = from_around[1] = -1;
  if (turn % 16 == 3)
    MPI_Comm_idup(world, &copy, &new->request);
  else
    MPI_Ineighbor_allgather(around, 1, MPI_INT, from_around, 1, MPI_INT, ring, &new->request);
}

/* MPICH's calls of many take an MPI_ERROR that they find in a status for one of theirs. */
static void blank_all(void) {
  for (int i = 0; i <= most; ++i) {
    blank(&statuses[i]);
    if (how % 4 == 1 || how % 4 == 3) statuses[i].MPI_ERROR = MPI_SUCCESS;
  }
}

/* Started in one order on all ranks, and put into the array in another on each. */
static void start(int mix, unsigned* seed) {
  int order[most];
  count = 0;
  if (mix >> nothing & 1) add(nothing);
  if (mix >> ours & 1) add_collectives(0);
  if (mix >> message & 1) add_messages(0);
  if (mix >> ours_persistent & 1 && HAS_PERSISTENT) add_collectives(1);
  if (mix >> others & 1) add_others();
  if (mix >> message_persistent & 1) add_messages(1);
  if (mix >> inactive & 1) add(inactive)->request = message_never;
  if (mix >> ours_inactive & 1 && HAS_PERSISTENT) add(inactive)->request = never;
  shuffle(seed, order, count);
  for (int i = 0; i < count; ++i) items[i] = made[order[i]], requests[i] = items[i].request;
  blank_all();
}

static int active(int i) { return !items[i].done && items[i].kind != nothing && items[i].kind != inactive; }

static int persists(int i) {
  return items[i].kind == ours_persistent || items[i].kind == message_persistent || items[i].kind == inactive;
}

static void check_data(struct item* item, const char* what) {
  if (item->job) job_check(item->job, what);
  if (item->kind == ours) job_free(item->job), item->job = NULL;
  if (item->receives)
    for (int i = 0; i < words; ++i)
      if (item->data[i] != previous * 1000 + turn + i) complain("%s: message has %d at %d", what, item->data[i], i);
  if (item->kind != others) return;
  if (copy != MPI_COMM_NULL) {
    int ranks = 0;
    MPI_Comm_size(copy, &ranks);
    if (ranks != size) complain("%s: copy of %d ranks", what, ranks);
  } else if (from_around[0] != previous + turn || from_around[1] != next + turn) {
    complain("%s: neighbours %d %d", what, from_around[0], from_around[1]);
  }
}

/* Entry i has completed, and its status is that one. */
static void completed(int i, const MPI_Status* status) {
  struct item* item = &items[i];
  char what[60];
  snprintf(what, sizeof what, "turn %d, %s%s, kind %d", turn, calls[how], ignored ? " without statuses" : "",
           item->kind);
  if (persists(i) ? requests[i] != item->request : requests[i] != MPI_REQUEST_NULL)
    complain("%s: the request is %s", what, requests[i] == MPI_REQUEST_NULL ? "null" : "not as it should be");
  if (!ignored && !active(i)) expect_empty(status, what);
  if (!ignored && active(i) && item->receives) expect_message(status, previous, item->tag, words, what);
  if (!ignored && active(i)) expect_no_error(status, what);
  if (!ignored && active(i) && (how == wait_each || how == test_each) && status->MPI_ERROR != untouched)
    complain("%s: sets MPI_ERROR to %d", what, status->MPI_ERROR);
  if (item->done) complain("%s: completes twice", what);
  if (active(i)) check_data(item, what);
  item->done = 1;
}

static void unchanged(int i, const char* when) {
  if (requests[i] != items[i].request) complain("turn %d, %s: %s changes a request", turn, calls[how], when);
}

static void each(void) {
  for (int i = 0; i < count; ++i) {
    MPI_Status* status = ignored ? MPI_STATUS_IGNORE : &statuses[i];
    int flag = how == wait_each, told = 0;
    if (how == wait_each) expect_success(MPI_Wait(&requests[i], status), "Wait");
    while (!flag) {
      expect_success(MPI_Test(&requests[i], &flag, status), "Test");
      if (!flag) unchanged(i, "not complete");
      if (!flag && !active(i) && !told++) complain("turn %d: Test says that nothing is not complete", turn);
    }
    completed(i, &statuses[i]);
  }
}

static void all(void) {
  MPI_Status* status = ignored ? MPI_STATUSES_IGNORE : statuses;
  int flag = how == wait_all;
  if (how == wait_all) expect_success(MPI_Waitall(count, requests, status), "Waitall");
  while (!flag) {
    expect_success(MPI_Testall(count, requests, &flag, status), "Testall");
    for (int i = 0; i < count && !flag; ++i) unchanged(i, "not complete");
  }
  for (int i = 0; i < count; ++i) completed(i, &statuses[i]);
}

static void any(void) {
  for (;;) {
    int index = -7, flag = 1, left = 0;
    blank(&statuses[0]);
    MPI_Status* status = ignored ? MPI_STATUS_IGNORE : statuses;
    for (int i = 0; i < count; ++i) left += active(i);
    if (how == wait_any)
      expect_success(MPI_Waitany(count, requests, &index, status), "Waitany");
    else
      expect_success(MPI_Testany(count, requests, &index, &flag, status), "Testany");
    if (!flag && left && index == MPI_UNDEFINED) continue;
    if (left == 0 && (!flag || index != MPI_UNDEFINED)) complain("%s of nothing: flag %d, %d", calls[how], flag, index);
    if (left == 0 && !ignored) expect_empty(statuses, calls[how]);
    if (left == 0) return;
    if (!flag || index < 0 || index >= count || !active(index)) {
      complain("turn %d, %s: flag %d, index %d with %d left", turn, calls[how], flag, index, left);
      return;
    }
    completed(index, &statuses[0]);
  }
}

static void some(void) {
  for (;;) {
    int indices[most], number = -7, left = 0;
    MPI_Status* status = ignored ? MPI_STATUSES_IGNORE : statuses;
    for (int i = 0; i < count; ++i) indices[i] = -7, left += active(i);
    blank_all();
    if (how == wait_some)
      expect_success(MPI_Waitsome(count, requests, &number, indices, status), "Waitsome");
    else
      expect_success(MPI_Testsome(count, requests, &number, indices, status), "Testsome");
    if (left == 0 && number != MPI_UNDEFINED) complain("%s of nothing: %d", calls[how], number);
    if (left == 0) return;
    if (number < (how == wait_some) || number > left) {
      complain("turn %d, %s: %d of %d left", turn, calls[how], number, left);
      return;
    }
    for (int k = 0; k < number; ++k)
      if (indices[k] < 0 || indices[k] >= count || !active(indices[k]))
        complain("turn %d, %s: index %d", turn, calls[how], indices[k]);
      else
        completed(indices[k], &statuses[k]);
  }
}

static void complete_once(void) { how % 4 == 0 ? each() : how % 4 == 1 ? all() : how % 4 == 2 ? any() : some(); }

static void complete(void) {
  complete_once();
  if (statuses[count > 1 ? count : 1].MPI_SOURCE != untouched)
    complain("turn %d, %s: one status too many", turn, calls[how]);
  for (int i = 0; i < count; ++i) {
    if (active(i)) complain("turn %d, %s: kind %d never completes", turn, calls[how], items[i].kind);
    items[i].kind = persists(i) ? inactive : nothing, items[i].done = 0;
    if (items[i].kind == nothing) items[i].request = MPI_REQUEST_NULL;
  }
  blank_all();
  if (turn % 3 == 0) complete_once(); /* all is over */
  if (copy != MPI_COMM_NULL) MPI_Comm_free(&copy);
}

/* Is this cell asked for?  Words: the stride; the mixes; names of calls (none: every call). */
static int asked(int cell, int words, char** word) {
  const int mix = cell / hows / 2;
  const char* group = mix >> ours_inactive & 1 ? "inactive" : mix >> ours_persistent & 1 ? "persistent" : "plain";
  if (words > 2 && strcmp(word[2], group) != 0) return 0;
  for (int i = 3; i < words; ++i)
    if (strcmp(word[i], calls[cell % hows]) == 0) return 1;
  return words <= 3;
}

int main(int argc, char** argv) {
  int periodic = 1;
  begin(&argc, &argv, 60);
  unsigned seed = (unsigned)me;
  const int stride = argc > 1 ? atoi(argv[1]) : 1, cells = (1 << kinds) * hows * 2;
  next = (me + 1) % size, previous = (me + size - 1) % size;
  MPI_Comm_dup(MPI_COMM_WORLD, &world), set_up_wires(world);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  settle(world), make_pool();
  for (int cell = 0; cell < cells; ++cell) {
    if (!asked(cell, argc, argv) || turn++ % stride != 0) continue;
    how = (enum how)(cell % hows), ignored = cell / hows % 2;
    start(cell / hows / 2, &seed);
    complete();
  }
  free_pool(), MPI_Comm_free(&world), MPI_Comm_free(&ring);
  return end();
}

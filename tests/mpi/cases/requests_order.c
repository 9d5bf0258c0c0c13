/* Nonblocking collectives outstanding in numbers, on some communicators.  Starts on one communicator have one order on
   all ranks, of different ones any; completions any.  `many`: 1000 of all kinds on 10 communicators, completed by
   chance.  `crossed`: A then B on even ranks, B then A on odd.  `between`: blocking ones on the same communicator while
   some are outstanding.  `freed`: types and operators, or the communicator, are freed before the wait (Open MPI by
   itself then crashes).  `nested`: the first rank waits for a call that the others start once they have completed
   another that it has started.  `barrier`: a barrier before the start on one rank and after it on another (erroneous,
   yet every MPI runs it, and mpi4py's users do it).
   @run 1,2,3,5 many
   @run 2,3,5 crossed
   @run 2,3,5 between
   @run 2,3,5 nested
   @run 2,3,5 freed-types
   @run 2,3,5 freed-comm
   @run 2,3 barrier
   @run[wheel-mpich,openmpi] 3 TUTTI_PRETEND_NODES=block:2 WIRES=nodes many
   @run[wheel-mpich,openmpi] 3 WIRES=flat crossed
   @run[wheel-mpich,openmpi] 4 TUTTI_PRETEND_NODES=block:2 WIRES=native2 between
   @run[wheel-mpich,openmpi] 3 TUTTI_PRETEND_NODES=sizes:1,2 WIRES=nodes freed-types
   @run[wheel-mpich,openmpi] 3 TUTTI_PRETEND_NODES=block:2 WIRES=nodes freed-comm
   @run[wheel-mpich,openmpi] 3 TUTTI_PRETEND_NODES=block:2 WIRES=nodes barrier */
#include "requests.h"
#include "requests_jobs.h"

enum { comms_count = 10, most = 1000 };
static MPI_Comm comms[comms_count];
static struct job* jobs[most];
static MPI_Request requests[most];
static unsigned seed;

/* The k-th job of communicator c: the same one on all ranks, whenever it comes. */
static struct job* numbered(int c, int k) {
  return job_new((enum collective)((c + 3 * k) % collectives), comms[c], (c * 31 + k * 17) % 70, c + k, k % 5 == 2);
}

static void finished(int i, const char* how) {
  if (requests[i] != MPI_REQUEST_NULL) complain("%s leaves request %d of %s", how, i, names[jobs[i]->which]);
  job_check(jobs[i], how);
  job_free(jobs[i]);
  jobs[i] = NULL;
}

/* Completes at least one of a few that are drawn; gives how many. */
static int complete_some(const int* order, int left) {
  MPI_Request few[8];
  int indices[8], at[8], number = 0, flag = 1, index = 0;
  const int how = drawn(&seed, 6), tried = left < 8 ? left : 8;
  static const char* const calls[] = {"Wait", "Waitany", "Waitsome", "Testsome", "Testany", "Waitall"};
  for (int i = 0; i < tried; ++i) at[i] = order[left - 1 - i], few[i] = requests[at[i]];
  if (how == 0) number = 1, indices[0] = 0, MPI_Wait(&few[0], MPI_STATUS_IGNORE);
  if (how == 1) number = 1, MPI_Waitany(tried, few, &indices[0], MPI_STATUS_IGNORE);
  if (how == 2) MPI_Waitsome(tried, few, &number, indices, MPI_STATUSES_IGNORE);
  if (how == 3) MPI_Testsome(tried, few, &number, indices, MPI_STATUSES_IGNORE);
  if (how == 4) MPI_Testany(tried, few, &index, &flag, MPI_STATUS_IGNORE), number = flag, indices[0] = index;
  if (how == 5) {
    MPI_Waitall(tried, few, MPI_STATUSES_IGNORE), number = tried;
    for (int i = 0; i < tried; ++i) indices[i] = i;
  }
  if (number < 0 || number > tried) complain("%s of %d gives %d", calls[how], tried, number), exit(1);
  for (int i = 0; i < tried; ++i) requests[at[i]] = few[i];
  for (int i = 0; i < number; ++i) {
    if (indices[i] < 0 || indices[i] >= tried || !jobs[at[indices[i]]])
      complain("%s: index %d", calls[how], indices[i]);
    else
      finished(at[indices[i]], calls[how]);
  }
  return number;
}

static void many(void) {
  int order[most], next[comms_count] = {0};
  for (int i = 0; i < most;) {
    const int c = drawn(&seed, comms_count);
    if (next[c] == most / comms_count) continue;
    jobs[i] = numbered(c, next[c]++);
    job_start(jobs[i], &requests[i]);
    ++i;
  }
  shuffle(&seed, order, most);
  for (int left = most; left > 0;) {
    complete_some(order, left);
    int kept = 0;
    for (int i = 0; i < left; ++i)
      if (jobs[order[i]]) order[kept++] = order[i];
    left = kept;
  }
}

static void crossed(void) {
  for (int turn = 0; turn < 60; ++turn) {
    const int first = me % 2;
    for (int i = 0; i < 2; ++i) {
      const int c = (first + i) % 2;
      jobs[c] = job_new((enum collective)((turn + c) % collectives), comms[c], turn % 3 ? 5 : 20000, turn, 0);
      job_start(jobs[c], &requests[c]);
    }
    for (int i = 0; i < 2; ++i) {
      const int c = (first + i + turn / 2) % 2;
      MPI_Wait(&requests[c], MPI_STATUS_IGNORE);
      finished(c, "crossed");
    }
  }
}

static void nested(void) {
  settle(comms[0]), settle(comms[1]);
  for (int turn = 0; turn < 40; ++turn) {
    for (int c = 0; c < 2; ++c) jobs[c] = job_new(turn % 2 ? allreduce : scan, comms[c], c ? 60000 : 5, turn, 0);
    if (me == turn % size) {
      for (int c = 0; c < 2; ++c) job_start(jobs[c], &requests[c]);
      for (int c = 0; c < 2; ++c) MPI_Wait(&requests[c], MPI_STATUS_IGNORE);
    } else {
      for (int c = 1; c >= 0; --c) job_start(jobs[c], &requests[c]), MPI_Wait(&requests[c], MPI_STATUS_IGNORE);
    }
    finished(0, "nested"), finished(1, "nested");
  }
}

static void between(void) {
  for (int turn = 0; turn < 60; ++turn) {
    const int outstanding = 1 + turn % 7;
    for (int i = 0; i < outstanding; ++i) {
      int mine = me + turn + i, sum = -1, word = me == i % size ? turn : -1;
      jobs[i] = job_new((enum collective)((turn + 5 * i) % collectives), comms[0], turn % 3 ? 5 : 3000, turn, 0);
      job_start(jobs[i], &requests[i]);
      if ((turn + i) % 3 == 0) MPI_Barrier(comms[0]);
      MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comms[0]);
      if (sum != size * (size - 1) / 2 + size * (turn + i)) complain("turn %d: a blocking sum of %d", turn, sum);
      MPI_Bcast(&word, 1, MPI_INT, i % size, comms[0]);
      if (word != turn) complain("turn %d: a blocking bcast of %d", turn, word);
    }
    for (int i = outstanding - 1; i >= 0; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE), finished(i, "between");
  }
}

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

static void freed(int with_comm) {
  const int turns = getenv("WIRES") ? 20 : 60;
  for (int turn = 0; turn < turns; ++turn) {
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm), set_up_wires(comm);
    if (turn % 2) settle(comm);
    MPI_Op_create(add, 1, &op);
    MPI_Type_contiguous(1, MPI_INT, &type), MPI_Type_commit(&type);
    for (int i = 0; i < 5; ++i) {
      jobs[i] = job_new((enum collective)((turn + i) % collectives), comm, turn % 3 ? 9 : 9000, turn, 0);
      job_types(jobs[i], type, sizeof(int), type, sizeof(int), op);
      job_start(jobs[i], &requests[i]);
    }
    if (with_comm) MPI_Comm_free(&comm);
    if (!with_comm) MPI_Type_free(&type), MPI_Op_free(&op);
    /* What gets their handles has nothing to do with them. */
    if (!with_comm) MPI_Type_contiguous(3, MPI_DOUBLE, &type), MPI_Type_commit(&type);
    if (with_comm) MPI_Comm_dup(MPI_COMM_WORLD, &comm), set_up_wires(comm);
    for (int i = 0; i < 5; ++i) {
      const int other = (i + me + turn) % 5;
      MPI_Wait(&requests[other], MPI_STATUS_IGNORE), finished(other, "freed");
    }
    if (with_comm) MPI_Op_free(&op);
    MPI_Type_free(&type), MPI_Comm_free(&comm);
  }
}

static void around_barrier(void) {
  for (int turn = 0; turn < 40; ++turn) {
    const int before = (me + turn) % 2;
    jobs[0] = job_new(turn % 2 ? allreduce : (enum collective)(turn % collectives), comms[0], 7, turn, 0);
    if (before) MPI_Barrier(comms[0]);
    job_start(jobs[0], &requests[0]);
    if (!before) MPI_Barrier(comms[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE), finished(0, "barrier");
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv, 60);
  const char* mode = argc > 1 ? argv[1] : "many";
  seed = (unsigned)me + 5;
  for (int i = 0; i < comms_count; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]), set_up_wires(comms[i]);
  if (strcmp(mode, "many") == 0)
    many(), many();
  else if (strcmp(mode, "crossed") == 0)
    crossed();
  else if (strcmp(mode, "between") == 0)
    between();
  else if (strcmp(mode, "nested") == 0)
    nested();
  else if (strncmp(mode, "freed", 5) == 0)
    freed(strcmp(mode, "freed-comm") == 0);
  else
    around_barrier();
  for (int i = 0; i < comms_count; ++i) MPI_Comm_free(&comms[i]);
  return end();
}

/* Every collective, checked, for tests that take something away from it.
     robust check COMMUNICATORS [FILE]   on the world and that many more, short to long; FILE is written until its file
                                         system is full once MPI has what it needs, and removed at the end
     robust die COLLECTIVE COUNT         again and again, until one rank is ended by SIGKILL at some moment */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

typedef struct {
  MPI_Comm comm;
  int me, size, root, count, turn;
  int *in, *out;                /* `size` blocks of `count` elements each */
  int *counts, *starts, *bytes; /* of the blocks: elements, their first, the first's byte */
  MPI_Datatype* types;
} Call;

/* What rank `from` has for rank `to`; any two differ somewhere in a block. */
static int value(const Call* c, int from, int to, int i) { return (from * 131 + to * 17 + i * 3 + c->turn * 7) % 9973; }

static int sum_of(const Call* c, int ranks, int to, int i) {
  int sum = 0;
  for (int from = 0; from < ranks; ++from) sum += value(c, from, to, i);
  return sum;
}

#define DATA c->count, MPI_INT
#define PARTS c->counts, c->starts, MPI_INT
#define TYPED c->counts, c->bytes, c->types
static void barrier(Call* c) { MPI_Barrier(c->comm); }
static void bcast(Call* c) {
  for (int i = 0; c->me == c->root && i < c->count; ++i) c->out[i] = value(c, c->root, 0, i);
  MPI_Bcast(c->out, DATA, c->root, c->comm);
}
static void reduce(Call* c) { MPI_Reduce(c->in, c->out, DATA, MPI_SUM, c->root, c->comm); }
static void allreduce(Call* c) { MPI_Allreduce(c->in, c->out, DATA, MPI_SUM, c->comm); }
static void scan(Call* c) { MPI_Scan(c->in, c->out, DATA, MPI_SUM, c->comm); }
static void exscan(Call* c) { MPI_Exscan(c->in, c->out, DATA, MPI_SUM, c->comm); }
static void gather(Call* c) { MPI_Gather(c->in, DATA, c->out, DATA, c->root, c->comm); }
static void gatherv(Call* c) { MPI_Gatherv(c->in, DATA, c->out, PARTS, c->root, c->comm); }
static void scatter(Call* c) { MPI_Scatter(c->in, DATA, c->out, DATA, c->root, c->comm); }
static void scatterv(Call* c) { MPI_Scatterv(c->in, PARTS, c->out, DATA, c->root, c->comm); }
static void allgather(Call* c) { MPI_Allgather(c->in, DATA, c->out, DATA, c->comm); }
static void allgatherv(Call* c) { MPI_Allgatherv(c->in, DATA, c->out, PARTS, c->comm); }
static void alltoall(Call* c) { MPI_Alltoall(c->in, DATA, c->out, DATA, c->comm); }
static void alltoallv(Call* c) { MPI_Alltoallv(c->in, PARTS, c->out, PARTS, c->comm); }
static void alltoallw(Call* c) { MPI_Alltoallw(c->in, TYPED, c->out, TYPED, c->comm); }
static void reduce_scatter(Call* c) { MPI_Reduce_scatter(c->in, c->out, c->counts, MPI_INT, MPI_SUM, c->comm); }
static void reduce_scatter_block(Call* c) { MPI_Reduce_scatter_block(c->in, c->out, DATA, MPI_SUM, c->comm); }

/* What must be in block `b` of the result. */
static int from_root(const Call* c, int b, int i) { return (void)b, value(c, c->root, 0, i); }
static int root_for_me(const Call* c, int b, int i) { return (void)b, value(c, c->root, c->me, i); }
static int from_each(const Call* c, int b, int i) { return value(c, b, 0, i); }
static int from_each_for_me(const Call* c, int b, int i) { return value(c, b, c->me, i); }
static int all_summed(const Call* c, int b, int i) { return (void)b, sum_of(c, c->size, 0, i); }
static int summed_for_me(const Call* c, int b, int i) { return (void)b, sum_of(c, c->size, c->me, i); }
static int up_to_me(const Call* c, int b, int i) { return (void)b, sum_of(c, c->me + 1, 0, i); }
static int before_me(const Call* c, int b, int i) { return (void)b, sum_of(c, c->me, 0, i); }

typedef enum { ONE_BLOCK, ALL_BLOCKS, ONE_AT_ROOT, ALL_AT_ROOT, NOT_AT_FIRST, NOTHING } Result;

static const struct Collective {
  const char* name;
  void (*run)(Call*);
  int (*expected)(const Call*, int, int);
  Result result;
} collectives[] = {{"barrier", barrier, NULL, NOTHING},
                   {"bcast", bcast, from_root, ONE_BLOCK},
                   {"reduce", reduce, all_summed, ONE_AT_ROOT},
                   {"allreduce", allreduce, all_summed, ONE_BLOCK},
                   {"gather", gather, from_each, ALL_AT_ROOT},
                   {"gatherv", gatherv, from_each, ALL_AT_ROOT},
                   {"scatter", scatter, root_for_me, ONE_BLOCK},
                   {"scatterv", scatterv, root_for_me, ONE_BLOCK},
                   {"allgather", allgather, from_each, ALL_BLOCKS},
                   {"allgatherv", allgatherv, from_each, ALL_BLOCKS},
                   {"alltoall", alltoall, from_each_for_me, ALL_BLOCKS},
                   {"alltoallv", alltoallv, from_each_for_me, ALL_BLOCKS},
                   {"alltoallw", alltoallw, from_each_for_me, ALL_BLOCKS},
                   {"reduce_scatter", reduce_scatter, summed_for_me, ONE_BLOCK},
                   {"reduce_scatter_block", reduce_scatter_block, summed_for_me, ONE_BLOCK},
                   {"scan", scan, up_to_me, ONE_BLOCK},
                   {"exscan", exscan, before_me, NOT_AT_FIRST}};
enum { KINDS = sizeof collectives / sizeof *collectives };

static int blocks_of(const Call* c, Result result) {
  switch (result) {
    case ONE_BLOCK:
      return 1;
    case ALL_BLOCKS:
      return c->size;
    case ONE_AT_ROOT:
      return c->me == c->root;
    case ALL_AT_ROOT:
      return c->me == c->root ? c->size : 0;
    case NOT_AT_FIRST:
      return c->me != 0;
    default:
      return 0;
  }
}

static Call make_call(MPI_Comm comm, int count) {
  Call c = {.comm = comm, .count = count};
  MPI_Comm_rank(comm, &c.me);
  MPI_Comm_size(comm, &c.size);
  const size_t size = (size_t)c.size, elements = size * (size_t)count + 1;
  c.in = malloc(elements * sizeof *c.in), c.out = malloc(elements * sizeof *c.out);
  c.counts = malloc(size * sizeof *c.counts), c.starts = malloc(size * sizeof *c.starts);
  c.bytes = malloc(size * sizeof *c.bytes), c.types = malloc(size * sizeof *c.types);
  for (int to = 0; to < c.size; ++to) {
    c.counts[to] = count, c.starts[to] = to * count;
    c.bytes[to] = to * count * (int)sizeof(int), c.types[to] = MPI_INT;
  }
  return c;
}

static void free_call(Call* c) {
  free(c->in), free(c->out), free(c->counts), free(c->starts), free(c->bytes), free(c->types);
}

static int wrong = 0;

static void perform(const struct Collective* collective, Call* c) {
  c->root = c->turn++ % c->size;
  for (int to = 0; to < c->size; ++to)
    for (int i = 0; i < c->count; ++i) c->in[to * c->count + i] = value(c, c->me, to, i);
  memset(c->out, 0xA5, (size_t)c->size * (size_t)c->count * sizeof *c->out);
  collective->run(c);
  for (int b = 0; b < blocks_of(c, collective->result); ++b)
    for (int i = 0; i < c->count; ++i) {
      if (c->out[b * c->count + i] == collective->expected(c, b, i) || wrong++ > 0) continue;
      fprintf(stderr, "wrong: %s of %d, rank %d of %d\n", collective->name, c->count, c->me, c->size);
    }
}

static void check(MPI_Comm comm, int rounds) {
  static const int counts[] = {1, 15, 300, 5000, 70000};
  for (size_t size = 0; size < sizeof counts / sizeof *counts; ++size) {
    Call c = make_call(comm, counts[size]);
    for (int round = 0; round < rounds; ++round)
      for (int kind = 0; kind < KINDS; ++kind) perform(&collectives[kind], &c);
    free_call(&c);
  }
}

/* Leaves no byte where `name` lies. */
static void fill(const char* name) {
  static char page[4096];
  const int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0600);
  while (write(file, page, sizeof page) > 0) {
  }
  close(file);
}

static int check_all(int more, const char* full) {
  MPI_Comm* comms = malloc((size_t)(more + 1) * sizeof *comms);
  int me = 0, any = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Barrier(MPI_COMM_WORLD);
  if (full && me == 0) fill(full);
  MPI_Barrier(MPI_COMM_WORLD);
  check(MPI_COMM_WORLD, 2);
  /* Of all ranks and of every other one, in turn. */
  for (int i = 0; i < more; ++i) {
    MPI_Comm_split(MPI_COMM_WORLD, i % 2 ? me % 2 : 0, me, &comms[i]);
    check(comms[i], 1);
  }
  for (int i = 0; i < more; ++i) MPI_Comm_free(&comms[i]);
  check(MPI_COMM_WORLD, 1);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0 && full) unlink(full);
  if (me == 0 && !any) printf("robust: right\n");
  free(comms);
  return any;
}

static void end_now(int signal_number) {
  (void)signal_number;
  kill(getpid(), SIGKILL);
}

/* Only the launcher ends the other ranks; a minute later they would themselves, so that no test leaves them. */
static void die(const char* name, int count) {
  const struct Collective* collective = collectives;
  while (strcmp(collective->name, name) != 0)
    if (++collective == collectives + KINDS) MPI_Abort(MPI_COMM_WORLD, 2);
  Call c = make_call(MPI_COMM_WORLD, count);
  alarm(60);
  for (int i = 0; i < 20; ++i) MPI_Barrier(MPI_COMM_WORLD), perform(collective, &c);
  if (c.me == 0 && !wrong) printf("robust: warm\n"), fflush(stdout);
  PMPI_Barrier(MPI_COMM_WORLD); /* nobody dies before that is said */
  if (c.me == c.size / 2) {
    signal(SIGALRM, end_now);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = 5000 + getpid() * 7919 % 20000}, NULL);
  }
  for (;;) collective->run(&c);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc == 4 && strcmp(argv[1], "die") == 0) die(argv[2], atoi(argv[3]));
  const int status = argc > 2 ? check_all(atoi(argv[2]), argc > 3 ? argv[3] : NULL) : 2;
  MPI_Finalize();
  return status != 0;
}

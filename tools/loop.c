/* The loop that users write, and that the OSU programs are: the same call again and again, a barrier between.

     loop SECONDS STATE CELL...        such as: loop 0.02 warm bcast:char:4 allgather:float:131072

   STATE: `warm` is the same buffers in each turn; `cold` goes round sets of buffers, of four times the last cache where
   they are long; `mixed` alternates the two; `sizes` alternates with an eighth of the size; `forms` goes through the
   blocking call, the nonblocking one and its MPI_Wait, and MPI_Start and MPI_Wait of a persistent request; `start`
   counts the first hundred calls of a cell apart from those after.  BYTES are counted as the OSU programs do: to or
   from each rank, but of reduce_scatter and reduce_scatter_block in all.

   Prints for each cell, and each kind of its turns: COLLECTIVE TYPE BYTES KIND OWN TURN CALLS.  OWN is what a call
   takes, the mean over calls and then over ranks; TURN is a call and its barrier, by the clock of rank 0; both in us.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { most_ranks = 512, most_sets = 64, settling = 20, first_calls = 100, least_calls = 20, kinds = 3 };
enum form { blocking, nonblocking, persistent };

static int me, ranks;
static long long cache; /* bytes of the last one */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

typedef struct Cell Cell;

/* Found by its name once, and not in the time of a call. */
typedef struct {
  const char* name;
  int many; /* blocks, one a rank, of so many bytes each */
  void (*call)(const Cell*, char* send, char* receive);
  void (*start)(const Cell*, char* send, char* receive, MPI_Request*);
  void (*init)(const Cell*, char* send, char* receive, MPI_Request*);
} Collective;

struct Cell {
  const Collective* what;
  MPI_Datatype type;
  int count;                                  /* to or from each rank */
  int counts[most_ranks], places[most_ranks]; /* of blocks of that many */
  int shares[most_ranks];                     /* of a reduce_scatter of that many in all */
  int share;                                  /* the same of a reduce_scatter_block, rounded up: never nothing */
  int offsets[most_ranks];                    /* the places in bytes, for alltoallw, which takes */
  MPI_Datatype types[most_ranks];             /* a type for each rank */
  size_t bytes;                               /* of a set's buffer on either side */
  int sets;
  char *send, *receive;
  enum form form;
  MPI_Request* request; /* of a form that has one */
};

#define WORLD MPI_COMM_WORLD
#define EACH c->count, c->type
#define ROW c->counts, c->places, c->type
#define TYPED_ROW c->counts, c->offsets, c->types
#define CALL(name, Name, ...)                                                                               \
  static void name(const Cell* c, char* s, char* r) { (void)c, (void)s, (void)r, MPI_##Name(__VA_ARGS__); } \
  static void i##name(const Cell* c, char* s, char* r, MPI_Request* request) {                              \
    (void)c, (void)s, (void)r, MPI_I##name(__VA_ARGS__, request);                                           \
  }                                                                                                         \
  static void name##_init(const Cell* c, char* s, char* r, MPI_Request* request) {                          \
    (void)c, (void)s, (void)r, MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, request);                      \
  }

CALL(barrier, Barrier, WORLD)
CALL(bcast, Bcast, s, EACH, 0, WORLD)
CALL(gather, Gather, s, EACH, r, EACH, 0, WORLD)
CALL(gatherv, Gatherv, s, EACH, r, ROW, 0, WORLD)
CALL(scatter, Scatter, s, EACH, r, EACH, 0, WORLD)
CALL(scatterv, Scatterv, s, ROW, r, EACH, 0, WORLD)
CALL(allgather, Allgather, s, EACH, r, EACH, WORLD)
CALL(allgatherv, Allgatherv, s, EACH, r, ROW, WORLD)
CALL(alltoall, Alltoall, s, EACH, r, EACH, WORLD)
CALL(alltoallv, Alltoallv, s, ROW, r, ROW, WORLD)
CALL(alltoallw, Alltoallw, s, TYPED_ROW, r, TYPED_ROW, WORLD)
CALL(reduce, Reduce, s, r, EACH, MPI_SUM, 0, WORLD)
CALL(allreduce, Allreduce, s, r, EACH, MPI_SUM, WORLD)
CALL(reduce_scatter, Reduce_scatter, s, r, c->shares, c->type, MPI_SUM, WORLD)
CALL(reduce_scatter_block, Reduce_scatter_block, s, r, c->share, c->type, MPI_SUM, WORLD)
CALL(scan, Scan, s, r, EACH, MPI_SUM, WORLD)
CALL(exscan, Exscan, s, r, EACH, MPI_SUM, WORLD)

#define ROW_OF(name, many) \
  { #name, many, name, i##name, name##_init }
static const Collective collectives[] = {
    ROW_OF(barrier, 0),   ROW_OF(bcast, 0),          ROW_OF(gather, 1),
    ROW_OF(gatherv, 1),   ROW_OF(scatter, 1),        ROW_OF(scatterv, 1),
    ROW_OF(allgather, 1), ROW_OF(allgatherv, 1),     ROW_OF(alltoall, 1),
    ROW_OF(alltoallv, 1), ROW_OF(alltoallw, 1),      ROW_OF(reduce, 0),
    ROW_OF(allreduce, 0), ROW_OF(reduce_scatter, 0), ROW_OF(reduce_scatter_block, 0),
    ROW_OF(scan, 0),      ROW_OF(exscan, 0),
};

static void refuse(const char* what, const char* word) {
  if (me == 0) fprintf(stderr, "loop: there is no %s '%s' here\n", what, word);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

static MPI_Datatype type_named(const char* name) {
  if (strcmp(name, "char") && strcmp(name, "float")) refuse("type", name);
  return !strcmp(name, "char") ? MPI_CHAR : MPI_FLOAT;
}

static const Collective* named(const char* name) {
  for (size_t i = 0; i < sizeof collectives / sizeof *collectives; ++i)
    if (!strcmp(name, collectives[i].name)) return &collectives[i];
  refuse("collective", name);
  return NULL;
}

static char* pages(size_t bytes) {
  void* memory = NULL;
  if (posix_memalign(&memory, 4096, bytes) != 0) {
    fprintf(stderr, "loop: no memory for %zu bytes\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  memset(memory, 1, bytes);
  return memory;
}

static Cell cell_of(const Collective* what, const char* type, long bytes, int cold) {
  static char* memory[2];
  static size_t room;
  Cell c = {.what = what, .type = type_named(type)};
  const long unit = c.type == MPI_CHAR ? 1 : (long)sizeof(float);
  c.count = (int)(bytes / unit);
  c.share = (c.count + ranks - 1) / ranks;
  for (int r = 0; r < ranks; ++r) {
    c.counts[r] = c.count, c.places[r] = r * c.count;
    c.offsets[r] = c.places[r] * (int)unit, c.types[r] = c.type;
    c.shares[r] = c.count / ranks + (r < c.count % ranks);
  }
  const size_t blocks = what->many ? (size_t)ranks : 1, page = 4096;
  c.bytes = ((size_t)bytes * blocks + page - 1) / page * page + page;
  c.sets = 1;
  while (cold && c.sets < most_sets && (c.sets < 8 || (long long)c.bytes * c.sets < 4 * cache)) c.sets *= 2;
  if (c.bytes * (size_t)c.sets > room) {
    room = c.bytes * (size_t)c.sets;
    for (int i = 0; i < 2; ++i) free(memory[i]), memory[i] = pages(room);
  }
  c.send = memory[0], c.receive = memory[1];
  return c;
}

/* One turn; adds to what calls of its kind have taken. */
static double turn(const Cell* c, int set) {
  char *const send = c->send + c->bytes * (size_t)set, *const receive = c->receive + c->bytes * (size_t)set;
  const double start = now();
  if (c->form == blocking) c->what->call(c, send, receive);
  if (c->form == nonblocking) c->what->start(c, send, receive, c->request);
  if (c->form == persistent) MPI_Start(c->request);
  if (c->form != blocking) MPI_Wait(c->request, MPI_STATUS_IGNORE);
  const double taken = now() - start;
  MPI_Barrier(MPI_COMM_WORLD);
  return taken;
}

/* So many turns as take about the time; all ranks alike. */
static long turns_for(const Cell* cells, double seconds, int number) {
  const double start = now();
  for (int i = 0; i < settling; ++i) turn(&cells[i % number], i % cells[i % number].sets);
  double wanted = 1e6 * seconds * settling / (now() - start + 1e-3);
  if (wanted < least_calls) wanted = least_calls;
  long turns = (long)wanted;
  MPI_Bcast(&turns, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  return turns;
}

static void report(const Cell* c, const char* type, const char* kind, double own, double turns, long calls) {
  double mean = own / (double)calls, sum = 0;
  MPI_Reduce(&mean, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  int unit;
  MPI_Type_size(c->type, &unit);
  if (me == 0)
    printf("%s %s %ld %s %.4f %.4f %ld\n", c->what->name, type, (long)c->count * unit, kind, sum / ranks,
           turns / (double)calls, calls);
}

static void steady(const Cell* cells, const char* type, const char* const* names, int number, double seconds) {
  double own[kinds] = {0}, all[kinds] = {0};
  int set[kinds] = {0};
  const long turns = turns_for(cells, seconds, number);
  for (long i = 0; i < turns * number; ++i) {
    const int kind = (int)(i % number);
    const double start = now();
    own[kind] += turn(&cells[kind], set[kind]);
    all[kind] += now() - start;
    set[kind] = (set[kind] + 1) % cells[kind].sets;
  }
  for (int kind = 0; kind < number; ++kind) report(&cells[kind], type, names[kind], own[kind], all[kind], turns);
}

static void from_the_start(const Cell* c, const char* type, double seconds) {
  double own[2] = {0}, all[2] = {0};
  long calls[2] = {first_calls, 0};
  for (int part = 0; part < 2; ++part) {
    if (part == 1) calls[1] = turns_for(c, seconds, 1);
    const double start = now();
    for (long i = 0; i < calls[part]; ++i) own[part] += turn(c, 0);
    all[part] = now() - start;
  }
  report(c, type, "first", own[0], all[0], calls[0]);
  report(c, type, "settled", own[1], all[1], calls[1]);
}

static void forms(const Collective* what, const char* type, long bytes, double seconds) {
  static const char* const names[] = {"blocking", "nonblocking", "persistent"};
  MPI_Request requests[kinds];
  Cell cells[kinds];
  for (int form = 0; form < kinds; ++form) {
    cells[form] = cell_of(what, type, bytes, 0);
    cells[form].form = (enum form)form, cells[form].request = &requests[form];
  }
  what->init(&cells[persistent], cells[0].send, cells[0].receive, &requests[persistent]);
  steady(cells, type, names, kinds, seconds);
  MPI_Request_free(&requests[persistent]);
}

static void measure(const char* state, const Collective* what, const char* type, long bytes, double seconds) {
  static const char *const mixed[] = {"warm", "cold"}, *const sizes[] = {"size", "eighth"};
  if (!strcmp(state, "mixed")) {
    Cell cells[2] = {cell_of(what, type, bytes, 1)};
    cells[1] = cells[0];
    cells[0].sets = 1;
    /* The warm set is none of those that go round. */
    cells[1].send += cells[1].bytes, cells[1].receive += cells[1].bytes, cells[1].sets -= 1;
    steady(cells, type, mixed, 2, seconds);
  } else if (!strcmp(state, "sizes")) {
    Cell cells[2] = {cell_of(what, type, bytes, 0)};
    cells[1] = cell_of(what, type, bytes / 8, 0);
    steady(cells, type, sizes, 2, seconds);
  } else if (!strcmp(state, "forms")) {
    forms(what, type, bytes, seconds);
  } else {
    const Cell cell = cell_of(what, type, bytes, !strcmp(state, "cold"));
    if (!strcmp(state, "start"))
      from_the_start(&cell, type, seconds);
    else
      steady(&cell, type, &state, 1, seconds);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (cache <= 0 || cache > (32LL << 20)) cache = 32LL << 20; /* of all cores of a large one, a few have a part */
  if (argc < 4 || ranks > most_ranks) {
    if (me == 0) fprintf(stderr, "usage: loop SECONDS warm|cold|mixed|sizes|forms|start COLLECTIVE:TYPE:BYTES ...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  if (!strstr(" warm cold mixed sizes forms start ", argv[2])) refuse("state", argv[2]);
  for (int i = 0; i < settling; ++i) MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 3; i < argc; ++i) {
    char* rest = NULL;
    const char *const collective = strtok_r(argv[i], ":", &rest), *const type = strtok_r(NULL, ":", &rest);
    const char* const bytes = strtok_r(NULL, ":", &rest);
    measure(argv[2], named(collective), type ? type : "char", bytes ? atol(bytes) : 0, atof(argv[1]));
  }
  MPI_Finalize();
  return 0;
}

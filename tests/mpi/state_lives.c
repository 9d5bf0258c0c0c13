/* Lives of communicators: duplicates, reused handles, intercommunicators, single ranks, sessions, collectives inside
   MPI_Finalize, a user's attributes.  Prints "lives: right" when every sum was. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { calls = 7 }; /* more than activation needs */

static int wrong = 0, copied = 0;

static void use(MPI_Comm comm, const char* where) {
  int me, size;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < calls; ++i) {
    int mine = me + i, sum = -1, word = me == i % size ? i : -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Bcast(&word, 1, MPI_INT, i % size, comm);
    if (sum != size * (size - 1) / 2 + size * i || word != i) {
      wrong = 1;
      fprintf(stderr, "wrong result on %s, call %d: %d, %d\n", where, i, sum, word);
    }
  }
}

static int count_copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)key, (void)extra;
  ++copied;
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

/* A duplicate begins anew, and only the user's own duplication copies the user's attributes. */
static void duplicates(void) {
  int key, value;
  MPI_Comm one, two;
  MPI_Comm_create_keyval(count_copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Comm_set_attr(one, key, &value);
  use(one, "a duplicate");
  if (copied != 0) wrong = 1, fprintf(stderr, "the user's attributes were copied %d times\n", copied);
  MPI_Comm_dup(one, &two);
  use(two, "a duplicate of a served communicator");
  MPI_Comm_free(&one);
  use(two, "a duplicate whose original is gone");
  MPI_Comm_free(&two);
  MPI_Comm_free_keyval(&key);
}

/* Every MPI gives a freed handle's value to the next communicator, here of another size and order. */
static void reused_handles(void) {
  int me, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 40; ++i) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, i % 3 == 0 ? me % 2 : 0, i % 2 ? -me : me, &comm);
    use(comm, "a reused handle");
    MPI_Comm_free(&comm);
  }
}

static void between_groups(void) {
  int me, size, sum = -1, one = 1;
  MPI_Comm half, inter;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) return;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me % 2 ? 0 : 1, 5, &inter);
  for (int i = 0; i < calls; ++i) {
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter);
    if (sum != (me % 2 ? (size + 1) / 2 : size / 2)) wrong = 1, fprintf(stderr, "wrong sum between groups: %d\n", sum);
  }
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

/* MPI-4 sessions: no world, before MPI_Init.  The session outlives the world: MPICH 5.0.2 at times hangs by itself in
   an MPI_Init that comes after the last session's end. */
#if MPI_VERSION >= 4
static MPI_Session session = MPI_SESSION_NULL;
#endif

static void open_session(void) {
#if MPI_VERSION >= 4
  MPI_Group group;
  MPI_Comm comm;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "tutti.test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  use(comm, "a session's communicator");
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
#endif
}

static void close_session(void) {
#if MPI_VERSION >= 4
  if (session != MPI_SESSION_NULL) MPI_Session_finalize(&session);
#endif
}

/* The last callbacks: the attributes of MPI_COMM_SELF are deleted first in MPI_Finalize, where MPI still works. */
static int at_the_end(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  int me;
  use(MPI_COMM_WORLD, "the world inside MPI_Finalize");
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0 && !wrong) printf("lives: right\n");
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  if (argc > 1 && !strcmp(argv[1], "session")) open_session();
  MPI_Init(&argc, &argv);
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  use(MPI_COMM_SELF, "a single rank");
  use(MPI_COMM_WORLD, "the world");
  duplicates();
  reused_handles();
  between_groups();
  use(MPI_COMM_WORLD, "the world again");
  MPI_Finalize();
  close_session();
  return wrong;
}

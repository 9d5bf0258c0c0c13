/* The classic mistake: the root broadcasts strlen + 1 bytes, the others ask for the whole buffer.  An error by the
   standard; Open MPI, and MPICH without argument checks, deliver what was sent and leave the rest alone, and so it must
   be under preload: the string arrives, no byte after it changes, and later calls come out right.
   @run[openmpi] 2 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "watch.h"

int main(int argc, char** argv) {
  int me, wrong = 0, any = 0;
  char name[1024], word[200];
  MPI_Init(&argc, &argv);
  watch(30);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  for (int i = 0; i < 40; ++i) {
    memset(name, me == 0 ? 'a' + i % 26 : '?', sizeof name);
    MPI_Bcast(name, (int)sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (name[sizeof name - 1] != 'a' + i % 26) wrong = 1, printf("WRONG: a right call failed\n");
  }
  memset(word, '#', sizeof word);
  if (me == 0) strcpy(word, "a string");
  MPI_Bcast(word, me == 0 ? (int)strlen(word) + 1 : (int)sizeof word, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (strcmp(word, "a string") != 0) wrong = 1, printf("WRONG: rank %d: the string is not there\n", me);
  for (size_t i = sizeof "a string"; i < sizeof word && me != 0 && !wrong; ++i)
    if (word[i] != '#') wrong = 1, printf("WRONG: rank %d: byte %d after the string was overwritten\n", me, (int)i);
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0 && !any) printf("ok\n");
  MPI_Finalize();
  return any;
}

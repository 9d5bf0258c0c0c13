/* Messages of the program's under many tags wait unreceived on the communicator and on MPI_COMM_SELF, while a long one
   must be moved by a sender that waits in a collective.  Nothing of tutti's shows in a probe for any message.
   @run[openmpi] 2 OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self
   @run[impi] 2 I_MPI_FABRICS=ofi FI_PROVIDER=tcp
   @run[mpich] 2 MPIR_CVAR_CH4_CMA_ENABLE=0
   @run 2 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "watch.h"

enum { bytes = 16 << 20 };
static const int tags[] = {0, 1, 2, 7, 99, 1023, 32766, 32767};
enum { many = sizeof tags / sizeof *tags };

int main(int argc, char** argv) {
  int me, word = 42, back = 0, wrong = 0, found = 0;
  MPI_Request request = MPI_REQUEST_NULL, own[many];
  MPI_Status status;
  MPI_Init(&argc, &argv);
  watch(40);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  char* data = calloc(bytes, 1);
  for (int i = 0; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < many; ++i) {
    MPI_Isend(&word, 1, MPI_INT, 0, tags[i], MPI_COMM_SELF, &own[i]);
    if (me == 1) MPI_Send(&word, 1, MPI_INT, 0, tags[i], MPI_COMM_WORLD);
  }
  for (int i = 0; i < many && me == 0; ++i) MPI_Probe(1, tags[i], MPI_COMM_WORLD, &status);
  data[bytes - 1] = (char)(me == 0 ? 5 : 0);
  if (me == 0) MPI_Isend(data, bytes, MPI_BYTE, 1, 4, MPI_COMM_WORLD, &request);
  if (me == 1) MPI_Recv(data, bytes, MPI_BYTE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  wrong |= data[bytes - 1] != 5;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < many; ++i) {
    MPI_Recv(&back, 1, MPI_INT, 0, tags[i], MPI_COMM_SELF, MPI_STATUS_IGNORE);
    if (me == 0) MPI_Recv(&back, 1, MPI_INT, 1, tags[i], MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Waitall(many, own, MPI_STATUSES_IGNORE);
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  wrong |= found;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
  wrong |= found;
  if (wrong) printf("WRONG: on rank %d\n", me);
  if (me == 0 && !wrong) printf("ok\n");
  fflush(stdout);
  free(data);
  MPI_Finalize();
  return wrong;
}

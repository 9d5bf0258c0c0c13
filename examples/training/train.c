/* Data-parallel training as it is done on clusters: every rank has examples of its own and a copy of the model; in each
 * step the ranks sum their gradients (MPI_Allreduce, 1 MiB) and their losses (8 bytes); every tenth step rank 0 sends
 * the model to all, so that rounding does not let copies drift apart (MPI_Bcast, 1 MiB), and all see what the others'
 * examples are predicted to be (MPI_Allgather, 4 KiB a rank).
 *
 *     mpicc -O2 train.c -o train -lm
 *     tutti record -n 16 ./train        what it calls, and what that takes
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { parameters = 131072, examples = 512, seen = 16 /* features of an example that are not 0 */ };

static double model[parameters], gradient[parameters], predicted[examples];
static int features[examples][seen];
static double targets[examples];

/* Reproducible on every rank and machine. */
static unsigned next(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void make_examples(int rank) {
  unsigned state = 12345u + (unsigned)rank;
  for (int i = 0; i < examples; ++i) {
    targets[i] = 0;
    for (int j = 0; j < seen; ++j) {
      features[i][j] = (int)(next(&state) % parameters);
      targets[i] += sin(features[i][j]);
    }
  }
}

/* Predicts this rank's examples and adds up how the model should change; the sum of squared errors. */
static double learn(void) {
  double loss = 0;
  for (int i = 0; i < parameters; ++i) gradient[i] = 0;
  for (int i = 0; i < examples; ++i) {
    predicted[i] = 0;
    for (int j = 0; j < seen; ++j) predicted[i] += model[features[i][j]];
    const double error = predicted[i] - targets[i];
    loss += error * error;
    for (int j = 0; j < seen; ++j) gradient[features[i][j]] += error;
  }
  return loss;
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int steps = argc > 1 ? atoi(argv[1]) : 200;
  double* const all = malloc(sizeof(double) * examples * (size_t)ranks);
  double loss = 0, first = 0;
  make_examples(rank);
  const double begin = MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    loss = learn();
    MPI_Allreduce(MPI_IN_PLACE, gradient, parameters, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &loss, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (step == 0) first = loss;
    for (int i = 0; i < parameters; ++i) model[i] -= 0.02 * gradient[i];
    if (step % 10 == 9) {
      MPI_Bcast(model, parameters, MPI_DOUBLE, 0, MPI_COMM_WORLD);
      MPI_Allgather(predicted, examples, MPI_DOUBLE, all, examples, MPI_DOUBLE, MPI_COMM_WORLD);
    }
  }
  if (rank == 0)
    printf("%d steps on %d ranks: loss %.6g, at first %.6g, %.3f s\n", steps, ranks, loss, first, MPI_Wtime() - begin);
  free(all);
  MPI_Finalize();
  return 0;
}

/* An MPI of one process that calls itself a wrapper around another (VERSION); its handles are its own.  Compiled twice:
   as that library (LIBRARY), and as a program of it. */
#include <stdio.h>
#include <string.h>

typedef struct handle* Handle;

#ifdef LIBRARY
struct handle {
  size_t size;
};
static struct handle world = {0}, four = {4}, sum = {0};
Handle WRAPPER_COMM_WORLD = &world, WRAPPER_INT = &four, WRAPPER_SUM = &sum;

#define BOTH(name) extern __typeof__(P##name) name __attribute__((weak, alias("P" #name)))

int PMPI_Init(int* argc, char*** argv) { return 0; }
int PMPI_Finalize(void) { return 0; }
int PMPI_Initialized(int* yes) { return *yes = 1, 0; }
int PMPI_Get_library_version(char* version, int* length) {
  strcpy(version, VERSION);
  return *length = (int)strlen(version), 0;
}
int PMPI_Allreduce(const void* from, void* to, int count, Handle type, Handle op, Handle comm) {
  if (type != &four || op != &sum || comm != &world) return 1;
  memcpy(to, from, (size_t)count * type->size);
  return 0;
}
BOTH(MPI_Init);
BOTH(MPI_Finalize);
BOTH(MPI_Initialized);
BOTH(MPI_Get_library_version);
BOTH(MPI_Allreduce);
#else
extern Handle WRAPPER_COMM_WORLD, WRAPPER_INT, WRAPPER_SUM;
int MPI_Init(int*, char***), MPI_Finalize(void), MPI_Allreduce(const void*, void*, int, Handle, Handle, Handle);
int PMPI_Allreduce(const void*, void*, int, Handle, Handle, Handle);

int main(int argc, char** argv) {
  int wrong = 0;
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 10; ++i) {
    int got = -1;
    wrong |= (i % 2 ? MPI_Allreduce : PMPI_Allreduce)(&i, &got, 1, WRAPPER_INT, WRAPPER_SUM, WRAPPER_COMM_WORLD);
    wrong |= got != i;
  }
  puts(wrong ? "wrapped: WRONG" : "wrapped: right");
  return MPI_Finalize() || wrong;
}
#endif

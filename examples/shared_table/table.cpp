// A histogram of all ranks' samples, once on each node, which each rank then turns into its own: copy on write.
//
//   mpicxx table.cpp $(pkg-config --cflags --libs tutti) -o table
//   mpiexec -n 4 ./table
#include <cstdio>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "tutti/shared.h"

namespace {

/// Owns a result.
template <class T>
class Shared {
 public:
  Shared(T* start, std::size_t size) : start_(start), size_(size) {}
  std::span<T> view() const { return {start_.get(), size_}; }

 private:
  struct Free {
    void operator()(T* start) const { tutti_free(start); }
  };
  std::unique_ptr<T, Free> start_;
  std::size_t size_;
};

Shared<long> histogram(const std::vector<long>& mine, MPI_Comm comm) {
  long* start = nullptr;
  const auto count = static_cast<MPI_Count>(mine.size());
  if (tutti_allreduce_shared(mine.data(), count, MPI_LONG, MPI_SUM, comm, TUTTI_COPY_ON_WRITE, &start) != MPI_SUCCESS)
    throw std::runtime_error("no histogram");
  return {start, mine.size()};
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bool right = true;
  {
    std::vector<long> mine(100'000, 1);
    const Shared<long> all = histogram(mine, MPI_COMM_WORLD);
    for (long& bin : all.view().first(10)) bin -= rank;  // one page of 196 becomes this rank's own
    MPI_Barrier(MPI_COMM_WORLD);
    right = all.view()[0] == ranks - rank && all.view()[99'999] == ranks;
    std::printf("rank %d: first bin %ld, last bin %ld\n", rank, all.view()[0], all.view()[99'999]);
  }
  MPI_Finalize();
  return right ? 0 : 1;
}

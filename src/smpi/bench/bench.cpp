/// Simulated times of one collective, at one or more sizes: what tools/smpi.py runs once for each row of its tables.
///
///     bench COLLECTIVE BYTES[,BYTES...] REPETITIONS
///
/// Which algorithm serves is said by TUTTI_<COLLECTIVE> or by SMPI's own --cfg=smpi/coll-selector.  All ranks begin at
/// the same simulated instant, which in a simulation can be had exactly; a time is that of the last rank to return.
/// Rank 0 prints one JSON line a size.  A size is the call's count in bytes, per peer where blocks are per peer.
///
/// Users' buffers are one piece of memory for all ranks (SMPI_SHARED_MALLOC): nothing is read from results here.
#include <mpi.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tutti/tutti.h"

namespace {

int me = 0, ranks = 1;

struct Buffers {
  char *send = nullptr, *receive = nullptr;
};

/// What a buffer holds.
enum class Holds { nothing, one, each };

struct Kind {
  const char* name;
  Holds send, receive;  ///< of the two buffers: one block of the size asked for, or one for each rank
  void (*call)(const Buffers& buffers, int bytes);
};

/// Elements of a reduction.  Their values do not matter: computation takes no simulated time.
int elements(int bytes) { return bytes / static_cast<int>(sizeof(int)); }

void reduce_scatter(const Buffers& at, int bytes) {
  const int all = elements(bytes);
  std::vector<int> counts(static_cast<std::size_t>(ranks), all / ranks);
  for (int i = 0; i < all % ranks; ++i) ++counts[static_cast<std::size_t>(i)];
  MPI_Reduce_scatter(at.send, at.receive, counts.data(), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

constexpr Kind kinds[] = {
    {"barrier", Holds::nothing, Holds::nothing, [](const Buffers&, int) { MPI_Barrier(MPI_COMM_WORLD); }},
    {"bcast", Holds::nothing, Holds::one,
     [](const Buffers& at, int n) { MPI_Bcast(at.receive, n, MPI_BYTE, 0, MPI_COMM_WORLD); }},
    {"gather", Holds::one, Holds::each,
     [](const Buffers& at, int n) { MPI_Gather(at.send, n, MPI_BYTE, at.receive, n, MPI_BYTE, 0, MPI_COMM_WORLD); }},
    {"scatter", Holds::each, Holds::one,
     [](const Buffers& at, int n) { MPI_Scatter(at.send, n, MPI_BYTE, at.receive, n, MPI_BYTE, 0, MPI_COMM_WORLD); }},
    {"allgather", Holds::one, Holds::each,
     [](const Buffers& at, int n) { MPI_Allgather(at.send, n, MPI_BYTE, at.receive, n, MPI_BYTE, MPI_COMM_WORLD); }},
    {"alltoall", Holds::each, Holds::each,
     [](const Buffers& at, int n) { MPI_Alltoall(at.send, n, MPI_BYTE, at.receive, n, MPI_BYTE, MPI_COMM_WORLD); }},
    {"reduce", Holds::one, Holds::one,
     [](const Buffers& at, int n) {
       MPI_Reduce(at.send, at.receive, elements(n), MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
     }},
    {"allreduce", Holds::one, Holds::one,
     [](const Buffers& at, int n) {
       MPI_Allreduce(at.send, at.receive, elements(n), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
     }},
    {"reduce_scatter", Holds::one, Holds::one, reduce_scatter},
    {"reduce_scatter_block", Holds::each, Holds::one,
     [](const Buffers& at, int n) {
       MPI_Reduce_scatter_block(at.send, at.receive, elements(n), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
     }},
    {"scan", Holds::one, Holds::one,
     [](const Buffers& at, int n) { MPI_Scan(at.send, at.receive, elements(n), MPI_INT, MPI_SUM, MPI_COMM_WORLD); }},
    {"exscan", Holds::one, Holds::one,
     [](const Buffers& at, int n) { MPI_Exscan(at.send, at.receive, elements(n), MPI_INT, MPI_SUM, MPI_COMM_WORLD); }},
};

[[noreturn]] void refuse(const char* why, const char* what) {
  if (me == 0) std::fprintf(stderr, "smpi bench: %s%s\n", why, what);
  std::exit(2);
}

const Kind& kind_named(const char* name) {
  for (const Kind& kind : kinds)
    if (std::strcmp(kind.name, name) == 0) return kind;
  refuse("it cannot time ", name);
}

std::vector<int> sizes_in(const char* list) {
  std::vector<int> sizes;
  for (const char* at = list;; ++at) {
    char* end = nullptr;
    const long long size = std::strtoll(at, &end, 10);
    if (end == at || size < 0 || size > INT32_MAX || (*end != ',' && *end != '\0')) refuse("no list of sizes: ", list);
    sizes.push_back(static_cast<int>(size));
    at = end;
    if (*end == '\0') return sizes;
  }
}

double latest(double mine) {
  double all = 0;
  PMPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

/// Seconds from the common start to the return of the last rank.  The clock is read without MPI_Wtime, which puts it
/// forward (smpi/wtime).
double once(const Kind& kind, const Buffers& buffers, int bytes) {
  const double start = latest(simgrid_get_clock()) + 1e-3;
  sg_actor_sleep_until(start);
  kind.call(buffers, bytes);
  return latest(simgrid_get_clock() - start);
}

/// One line; the choice is what served rank 0's last call.
void print(const Kind& kind, int bytes, const char* choice, std::vector<double> times) {
  std::printf(R"({"collective": "%s", "bytes": %d, "ranks": %d, "choice": "%s", "seconds": [)", kind.name, bytes, ranks,
              choice);
  for (std::size_t i = 0; i < times.size(); ++i) std::printf("%s%.9g", i ? ", " : "", times[i]);
  std::printf("]}\n");
  std::fflush(stdout);
}

/// A power of two, which the pieces that SMPI lays over each other divide: where they do not, it crashes (3.32).
char* shared(Holds what, int bytes) {
  const int blocks = what == Holds::each ? ranks : what == Holds::one ? 1 : 0;
  const std::size_t size = static_cast<std::size_t>(bytes) * static_cast<std::size_t>(blocks);
  return static_cast<char*>(SMPI_SHARED_MALLOC(std::bit_ceil(std::max<std::size_t>(size, 4096))));
}

/// Calls before the first that is timed: tutti's 4th agrees, and makes what it needs.
int warming() {
  const char* const tutti = std::getenv("TUTTI");
  return tutti && std::strcmp(tutti, "off") == 0 ? 1 : 4;
}

void measure(const Kind& kind, const std::vector<int>& sizes, int repetitions) {
  const int largest = *std::max_element(sizes.begin(), sizes.end());
  const Buffers buffers{shared(kind.send, largest), shared(kind.receive, largest)};
  for (int i = 0; i < warming(); ++i) {
    MPI_Barrier(MPI_COMM_WORLD);  // a call that synchronises
    kind.call(buffers, std::min(largest, static_cast<int>(sizeof(int))));
  }
  for (const int bytes : sizes) {
    std::vector<double> times;
    for (int i = 0; i < repetitions; ++i) times.push_back(once(kind, buffers, bytes));
    if (me == 0) print(kind, bytes, tutti_last_choice(), times);
  }
  SMPI_SHARED_FREE(buffers.send);
  SMPI_SHARED_FREE(buffers.receive);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 4) refuse("use: bench COLLECTIVE BYTES[,BYTES...] REPETITIONS", "");
  const int repetitions = std::atoi(argv[3]);
  if (repetitions < 1) refuse("no number of repetitions: ", argv[3]);
  measure(kind_named(argv[1]), sizes_in(argv[2]), repetitions);
  MPI_Finalize();
  return 0;
}

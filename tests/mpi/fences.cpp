/// fences_MPI [BYTES [SEGMENTS [REPETITIONS]]]: a reduction down the pipelined chain as it is, and with a fence after
/// every marked round, turn by turn; medians of the slowest rank's times.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "runtime/platform/pmpi.hpp"
#include "runtime/wire/flat_call.hpp"

using namespace tutti;

namespace {

runtime::PrivateComm wire_of_world() {
  runtime::PrivateComm wire;
  MPI_Comm_rank(MPI_COMM_WORLD, &wire.me);
  MPI_Comm_size(MPI_COMM_WORLD, &wire.size);
  MPI_Comm_split(MPI_COMM_WORLD, 0, wire.me, &wire.comm);
  MPI_Comm_set_errhandler(wire.comm, MPI_ERRORS_RETURN);
  wire.polls = 4;
  return wire;
}

double microseconds(runtime::PrivateComm& wire, const runtime::Operation& call, int segments) {
  const Algorithm& chain = *find_algorithm(Collective::reduce, "pipelined_chain");
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (runtime::execute(call, wire, chain, {{segments}}) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1);
  const double mine = (MPI_Wtime() - start) * 1e6;
  double slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

void measure(std::size_t bytes, int segments, int repetitions) {
  runtime::PrivateComm wire = wire_of_world();
  std::vector<double> from(bytes / sizeof(double), 1.0), into(from.size());
  runtime::Operation call;
  call.collective = Collective::reduce, call.comm = MPI_COMM_WORLD, call.op = MPI_SUM;
  const auto count = static_cast<std::int64_t>(from.size());
  call.send = {.buffer = from.data(), .count = count, .type = MPI_DOUBLE};
  call.receive = {.buffer = into.data(), .count = count, .type = MPI_DOUBLE};
  std::array<std::vector<double>, 2> times;
  for (int i = 0; i < 2 * repetitions; ++i) {
    wire.fenced = i % 2 != 0;
    from[0] = i;
    times[static_cast<std::size_t>(i % 2)].push_back(microseconds(wire, call, segments));
  }
  for (auto& some : times) std::nth_element(some.begin(), some.begin() + repetitions / 2, some.end());
  const double free = times[0][static_cast<std::size_t>(repetitions / 2)],
               fenced = times[1][static_cast<std::size_t>(repetitions / 2)];
  if (wire.me == 0)
    std::printf("%d ranks, %zu bytes, %d segments: %.0f us, fenced %.0f us, ratio %.2f\n", wire.size, bytes, segments,
                free, fenced, fenced / free);
  MPI_Comm_free(&wire.comm);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const auto number = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  if (!runtime::load_pmpi(RTLD_DEFAULT))
    measure(static_cast<std::size_t>(number(1, 1 << 20)), number(2, 32), number(3, 51));
  MPI_Finalize();
}

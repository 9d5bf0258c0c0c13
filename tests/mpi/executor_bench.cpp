/// The executor's own overhead: calls with a warm cache over an MPI library whose messages are there at once.
///
/// `budget` is 100 ns for a call of up to 16 rounds and 15 ns a step; `of_budget` is the share that was used.  Elements
/// are few, so that the work itself (a copy, a kernel call) hardly counts, though it is in the figures, and so are the
/// library's functions, an indirect call each.  The last row is a program that is too long to be kept, and has no
/// budget: its steps are made and bound at each call.
#include <benchmark/benchmark.h>

#include <vector>

#include "analysis/program.hpp"
#include "runtime/platform/pmpi.hpp"
#include "runtime/wire/flat_call.hpp"
#include "runtime/wire/schedule_plan.hpp"

namespace {

using namespace tutti;
using namespace tutti::runtime;

int isend(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request* request) { return *request = 1, 0; }
int irecv(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request* request) { return *request = 1, 0; }
int test(MPI_Request* request, int* flag, MPI_Status*) { return *request = MPI_REQUEST_NULL, *flag = 1, 0; }
int testsome(int count, MPI_Request*, int* ended, int* indices, MPI_Status*) {
  *ended = count;
  for (int i = 0; i < count; ++i) indices[i] = i;
  return MPI_SUCCESS;
}
int type_size(MPI_Datatype type, MPI_Count* size) { return *size = type == MPI_DOUBLE ? 8 : 1, 0; }
int type_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent) {
  return *lower = 0, *extent = type == MPI_DOUBLE ? 8 : 1, 0;
}

int ibarrier(MPI_Comm, MPI_Request* request) { return *request = 1, 0; }

void lay_paper() {
  pmpi.Ibarrier = ibarrier;
  pmpi.Isend = isend, pmpi.Irecv = irecv, pmpi.Test = test, pmpi.Testsome = testsome;
  pmpi.Type_size_x = type_size, pmpi.Type_get_extent = type_extent, pmpi.Type_get_true_extent = type_extent;
}

/// What is called: an entry of the catalogue as rank `me` of `size`, a double a block.
struct Call {
  Collective collective;
  const char* algorithm;
  int size;
  Rank me = 0;
  int parts = 0;  ///< where the algorithm has segments
};

/// Buffers, and a v-form's counts and places: one double or two a block, with gaps.
struct Arguments {
  explicit Arguments(const Call& call) {
    for (int i = 0; i < call.size; ++i) counts.push_back(1 + i % 2), places.push_back(3 * i);
    from.assign(3 * counts.size() + static_cast<std::size_t>(call.parts), 1.0);
    into.assign(from.size(), 0.0);
  }
  std::vector<int> counts, places;
  std::vector<double> from, into;
};

Operation operation(const Call& call, Arguments& arguments) {
  using enum Collective;
  Operation result;
  result.collective = call.collective, result.op = MPI_SUM;
  const std::int64_t count = call.parts > 0 ? call.parts : 1;
  result.send = {.buffer = arguments.from.data(), .count = count, .type = MPI_DOUBLE};
  result.receive = {.buffer = arguments.into.data(), .count = count, .type = MPI_DOUBLE};
  const auto vary = [&](Side& side) {
    side.counts = CountView(arguments.counts.data()), side.displacements = CountView(arguments.places.data());
  };
  if (call.collective == alltoallv) vary(result.send);
  if (call.collective == alltoallv || call.collective == allgatherv) vary(result.receive);
  return result;
}

std::int64_t steps_of(const Algorithm& algorithm, const Context& context) {
  std::int64_t steps = 0;
  for (const Step& step : program(algorithm.schedule(context)))
    steps += !std::holds_alternative<Area>(step) && !std::holds_alternative<Round>(step);
  return steps;
}

void warm_call(benchmark::State& state, const Call& what) {
  const Algorithm& algorithm = *find_algorithm(what.collective, what.algorithm);
  const Context context{what.me, what.size, 0, {{what.parts}}};
  Arguments arguments(what);
  PrivateComm wire;
  wire.me = what.me, wire.size = what.size;
  const Operation call = operation(what, arguments);
  for (auto _ : state) benchmark::DoNotOptimize(execute(call, wire, algorithm, context.parameters));
  const auto steps = static_cast<double>(steps_of(algorithm, context));
  state.counters["steps"] = steps;
  if (steps > SchedulePlan::longest) return;
  const double budget = (100 + 15 * steps) * 1e-9;
  using benchmark::Counter;
  state.counters["budget"] = Counter(budget);
  state.counters["of_budget"] = Counter(budget, Counter::Flags(Counter::kIsIterationInvariantRate | Counter::kInvert));
}

constexpr Call calls[] = {
    {Collective::bcast, "binomial", 2, 0},
    {Collective::bcast, "binomial", 65536, 0},
    {Collective::bcast, "binomial", 65536, 32768},
    {Collective::barrier, "dissemination", 65536, 0},
    {Collective::allreduce, "recursive_doubling", 2, 0},
    {Collective::allreduce, "recursive_doubling", 16, 0},
    {Collective::allreduce, "recursive_doubling", 65536, 0},
    {Collective::allgather, "ring", 17, 0},
    {Collective::allgather, "bruck", 256, 0},
    {Collective::alltoall, "pairwise", 17, 0},
    {Collective::allgatherv, "ring", 17, 0},
    {Collective::alltoallv, "pairwise", 17, 0},
    {Collective::bcast, "pipelined_chain", 4, 1, 16},
    {Collective::reduce, "pipelined_chain", 4, 1, 16},
    {Collective::bcast, "pipelined_chain", 4, 1, 4096},
};

}  // namespace

int main(int argc, char** argv) {
  lay_paper();
  for (const Call& call : calls)
    benchmark::RegisterBenchmark((std::string(name(call.collective)) + " " + call.algorithm + ", rank " +
                                  std::to_string(call.me) + " of " + std::to_string(call.size))
                                     .c_str(),
                                 warm_call, call);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}

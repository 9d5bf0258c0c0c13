/// The module's entry: runs the cases between MPI_Init and MPI_Finalize and prints what came out.
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <exception>
#include <limits>
#include <optional>
#include <stdexcept>

#include "bench/backend/balanced.hpp"
#include "bench/backend/costs/gauge.hpp"
#include "bench/backend/global_clock.hpp"
#include "bench/backend/invoke.hpp"
#include "bench/backend/measure.hpp"
#include "bench/backend/members.hpp"
#include "bench/backend/start.hpp"

namespace tutti::bench {

namespace {

/// Rank 0 prints; a line is complete before the next case begins, so that a job cut short loses no finished case.
void print(const Team& team, const std::string& line) {
  if (team.rank() != 0) return;
  std::puts(line.c_str());
  std::fflush(stdout);
}

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  PMPI_Get_library_version(text, &length);
  return text;
}

/// The node of each rank, numbered in the order of their first ranks.
std::vector<int> nodes_of(const Team& team) {
  std::vector<int> nodes;
  int count = 0;
  for (int rank = 0; rank < team.size(); ++rank) {
    const int leader = team.leader_of(rank);
    nodes.push_back(leader == rank ? count++ : nodes[static_cast<std::size_t>(leader)]);
  }
  return nodes;
}

Environment environment(const Team& team, const GlobalClock& clock, const Start& start, const char* mpi_path,
                        const char* backend) {
  return {library_version(),
          mpi_path,
          backend,
          host_name(),
          preloaded_version(),
          team.size(),
          team.ranks_on_node(),
          team.cpus(),
          std::string(name(start.sync())),
          clock.cost() * 1e9,
          nodes_of(team)};
}

Variants load_variants(const Options& options, void* mpi) {
  Variants variants;
  for (int v = 0; v < 2; ++v) {
    const bool preloaded = options.variants[v].source == Source::preloaded;
    if (preloaded && preloaded_version().empty())
      throw std::runtime_error("variant tutti: libtutti.so is not preloaded; use `tutti bench`, or set LD_PRELOAD");
    variants[v] = {options.variants[v].name, load_functions(options.variants[v].source, mpi), preloaded};
  }
  return variants;
}

/// Times are kept since rank 0's at this moment.
SampleFile open_samples(const Options& options, Team& team, const GlobalClock& clock) {
  if (options.samples.empty()) return {};
  std::array<double, 1> origin = {team.rank() == 0 ? clock.global(clock.now()) : std::numeric_limits<double>::lowest()};
  team.maximum(origin);
  return {options.samples, team.rank(), origin[0]};
}

/// How the global clock does, now and some seconds later.
int check_clock(const Team& team, GlobalClock& clock, double seconds) {
  print(team, to_json(clock.check("start")));
  usleep(static_cast<useconds_t>(1e6 * seconds));
  print(team, to_json(clock.check("end")));
  print(team, end_to_json(0));
  return 0;
}

/// Before anything is measured.  Throws std::invalid_argument, the same on all ranks.
void check_cases(const Options& options, const Variants& variants, Team& team) {
  for (const Case& what : options.cases) {
    make_subject(what, options, team);
    for (const Variant& variant : variants)
      if (what.other.empty() && !has(variant.functions, what.collective, what.manner))
        throw std::invalid_argument("this MPI library has no " + subject_of(what));
  }
}

std::int64_t measure_cases(const Session& session) {
  const Options& options = session.options;
  Team& team = session.team;
  check_cases(options, session.variants, team);
  std::optional<Gauge> gauge;
  if (options.bound) gauge.emplace(team);
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < options.cases.size(); ++i) {
    print(team, start_to_json(options.cases[i], i, options.cases.size()));
    const Bound before = gauge ? gauge->bound(options.cases[i]) : Bound{};
    const auto results = Measurement(options.cases[i], i, session).run();
    print(team, to_json(session.network.end()));
    session.samples.flush(true);
    if (gauge) print(team, to_json(between(before, gauge->bound(options.cases[i]))));
    for (const Result& result : results) {
      print(team, to_json(result, team.size()));
      wrong += result.wrong;
    }
  }
  return wrong;
}

int measure_all(const Options& options, void* mpi, const char* mpi_path, const char* backend) {
  const Members members(options.on);
  if (members.comm() == MPI_COMM_NULL) {
    Members::rest(options.on[0]);
    return 0;
  }
  Team team(members.comm(), mpi);
  GlobalClock clock(team, options.clock);
  if (options.clock_check > 0) return check_clock(team, clock, options.clock_check);
  const Variants variants = options.work > 0 ? Variants{} : load_variants(options, mpi);
  // A communicator is served from its fourth call on.  Without this the measured calls would activate it, with
  // additional messages on a network whose packets are counted.
  for (int call = 0; call < 4; ++call) MPI_Barrier(members.comm());
  const ClockReport first = clock.check("start");
  Start start(team, clock, options.sync);
  print(team, to_json(environment(team, clock, start, mpi_path, backend)));
  print(team, to_json(first));
  SampleFile samples = open_samples(options, team, clock);
  Memory memory;
  NetworkWatch network(team);
  Costing costing(team, clock);
  std::int64_t wrong = 0;
  if (options.work > 0)
    print(team, to_json(run_balanced(team, clock, start, samples, options.work, options.seconds)));
  else
    wrong = measure_cases({options, variants, team, clock, start, samples, memory, network, costing});
  print(team, to_json(clock.check("end")));
  print(team, end_to_json(wrong));
  return wrong == 0 ? 0 : 1;
}

}  // namespace

}  // namespace tutti::bench

extern "C" __attribute__((visibility("default"))) int tutti_bench_main(void* mpi, const char* mpi_path,
                                                                       const char* backend, int argc, char** argv) {
  using namespace tutti::bench;
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1, first = 0, status = 2;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  try {
    const Options options = parse_options(argc, argv);
    if (!options.on.empty() && options.on[0] < ranks) first = options.on[0];
    status = measure_all(options, mpi, mpi_path, backend);
  } catch (const std::invalid_argument& problem) {  // the same on every rank that measures
    if (rank == first) std::fprintf(stderr, "tutti-bench: %s\n", problem.what());
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "tutti-bench: rank %d: %s\n", rank, problem.what());
    PMPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
  return status;
}
